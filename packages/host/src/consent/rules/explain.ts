import type { Glob } from '@parley/foundation/rules'

import { definitionOf, hashOf } from '../memory/definition.ts'
import { matchesCall, evaluateRules, type EvaluatedCall } from './evaluate-rules.ts'
import type { ConsentRules, ConsentRule, ConsentRuleDecision } from './rule.ts'

/** The decision of the rules about a call, and why. */
export interface ExplainedRules {
  /** The decision of all rules together. */
  readonly decision: ConsentRuleDecision
  /** The rule that decides, or that no rule matches. */
  readonly reason: string
  /** Every rule, in the order of the file. */
  readonly rules: readonly ExplainedRule[]
}

/** One rule, and whether it matches the call. */
export interface ExplainedRule {
  /** The rule in words, with its place. */
  readonly rule: string
  /** Its line in the file. */
  readonly line: number
  /** Its decision if it matches. */
  readonly decision: ConsentRuleDecision
  /** Whether it fits the call. */
  readonly matches: boolean
  /** Why it does not fit. */
  readonly because?: string | undefined
}

/** Says which rules fit a call, why the others do not, and what comes of it. Nothing that was remembered counts. */
export function explainRules(call: EvaluatedCall, rules: ConsentRules): ExplainedRules {
  const result = evaluateRules(call, rules)
  const reason = result.decision === 'ask' ? result.reason : result.rule.label
  return {
    decision: result.decision,
    reason,
    rules: rules.rules.map((rule) => {
      const { label, line, decision } = rule
      const matches = matchesCall(rule, call, rules)
      const because = matches ? undefined : whyNot(rule, call)
      return { rule: label, line, decision, matches, ...(because !== undefined && { because }) }
    }),
  }
}

function whyNot(rule: ConsentRule, { server, tool, arguments: input }: EvaluatedCall): string {
  const isStrict = rule.decision === 'allow'
  const matches = (glob: Glob, name: string) => (isStrict ? glob.matches(name) : glob.catches(name))
  if (!matches(rule.server, server)) return 'it is about other servers'
  if (!matches(rule.tool, tool.name)) return 'it is about other tools'
  const pattern = rule.args.find((each) => (isStrict ? !each.allows(input) : !each.catches(input)))
  if (pattern !== undefined) return `the argument ${pattern.key} does not fit`
  if (rule.definition !== undefined && rule.definition !== hashOf(definitionOf(tool))) {
    return 'it is about another definition of the tool'
  }
  return 'its "when" does not hold'
}
