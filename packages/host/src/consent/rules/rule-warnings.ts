import type { ConsentRule } from './rule.ts'

/** A rule that never counts, or that says more than most people mean. */
export interface RuleWarning {
  readonly line: number
  readonly message: string
  readonly fix: string
}

/** Rules that others always win over, and rules that allow everything. */
export function deadRules(rules: readonly ConsentRule[]): readonly RuleWarning[] {
  return rules.flatMap((rule) => [...shadowed(rule, rules), ...boundless(rule)])
}

const ranks = { deny: 2, ask: 1, allow: 0 } as const

function shadowed(rule: ConsentRule, rules: readonly ConsentRule[]): readonly RuleWarning[] {
  const stronger = rules.find(
    (other) =>
      ranks[other.decision] > ranks[rule.decision] &&
      other.args.length === 0 &&
      other.when === undefined &&
      covers(other, rule, 'server') &&
      covers(other, rule, 'tool'),
  )
  if (stronger === undefined) return []
  const isDefault =
    stronger.decision === 'ask' && stronger.server.isAnything && stronger.tool.isAnything
  return [
    {
      line: rule.line,
      message: `${rule.label} never counts: ${stronger.label} fits the same calls, and ${stronger.decision} wins over ${rule.decision}`,
      fix: isDefault
        ? `Take out the rule in line ${stronger.line}: calls that no rule fits are asked about anyway.`
        : 'Take one of them out, or narrow the stronger one.',
    },
  ]
}

function covers(wide: ConsentRule, narrow: ConsentRule, part: 'server' | 'tool'): boolean {
  if (wide[part].isAnything) return true
  const name = narrow.source[part]
  if (typeof name !== 'string') return false
  return name === wide.source[part] || (narrow[part].isLiteral && wide[part].matches(name))
}

function boundless(rule: ConsentRule): readonly RuleWarning[] {
  const { decision, server, tool, args, when, line, label } = rule
  const isBounded = !server.isAnything || !tool.isAnything || args.length > 0 || when !== undefined
  if (decision !== 'allow' || isBounded) return []
  const message = `${label} lets every tool of every server run without asking`
  return [{ line, message, fix: 'Name the servers or tools that you mean.' }]
}
