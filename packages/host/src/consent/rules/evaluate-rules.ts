import { toolClaims, type Glob, type ToolClaims } from '@parley/foundation/rules'

import type { ProposedCall } from '../consent.ts'
import { definitionOf, hashOf } from '../memory/definition.ts'
import type { ConditionInput } from './condition.ts'
import type { ConsentRules, RememberedFor, ConsentRule } from './rule.ts'

/** The decision of the rules about a call, before anything that was remembered. */
export type RuleResult =
  | { readonly decision: 'deny'; readonly rule: ConsentRule }
  | {
      readonly decision: 'ask'
      /** The rules that ask; none if no rule matches, or if a rule that allows does not go far enough. */
      readonly rules: readonly ConsentRule[]
      readonly reason: string
      /** The longest that an answer may be remembered. */
      readonly remember: RememberedFor
    }
  | { readonly decision: 'allow'; readonly rule: ConsentRule }

/** The parts of a call that rules look at. */
export type EvaluatedCall = Pick<ProposedCall, 'server' | 'tool' | 'arguments' | 'flow' | 'by'>

/** Deny wins over ask, ask over allow, in whatever order the rules stand. A call that no rule matches is asked about. */
export function evaluateRules(call: EvaluatedCall, rules: ConsentRules): RuleResult {
  const matching = rules.rules.filter((rule) => matchesCall(rule, call, rules))
  const deny = matching.find(({ decision }) => decision === 'deny')
  if (deny !== undefined) return { decision: 'deny', rule: deny }
  const asking = matching.filter(({ decision }) => decision === 'ask')
  const [first] = asking
  if (first !== undefined) {
    const remember = shortest(asking.map((rule) => rule.remember))
    return { decision: 'ask', rules: asking, reason: first.label, remember }
  }
  if (matching.length === 0) {
    const reason = 'no rule matches this call'
    return { decision: 'ask', rules: [], reason, remember: 'always' }
  }
  const lowered = matching.map((rule) => whyLowered(rule, call))
  const at = lowered.indexOf(undefined)
  const rule = matching[at]
  if (rule !== undefined) return { decision: 'allow', rule }
  return { decision: 'ask', rules: [], reason: lowered[0] ?? '', remember: 'always' }
}

/** Whether a rule is about a call. A rule that allows must match every reading of it, one that asks or denies any. */
export function matchesCall(rule: ConsentRule, call: EvaluatedCall, rules: ConsentRules): boolean {
  const { server, tool, arguments: input } = call
  const isStrict = rule.decision === 'allow'
  const matches = (glob: Glob, name: string) => (isStrict ? glob.matches(name) : glob.catches(name))
  if (!matches(rule.server, server) || !matches(rule.tool, tool.name)) return false
  if (rule.definition !== undefined && rule.definition !== hashOf(definitionOf(tool))) return false
  const matchesArguments = rule.args.every((pattern) =>
    isStrict ? pattern.allows(input) : pattern.catches(input),
  )
  return matchesArguments && matchesCondition(rule, call, rules)
}

/**
 * The hints of a server count if the user trusts it. Those of others may only make a rule stricter: a rule that
 * allows has to hold with what is claimed and with the worst, one that asks or forbids with either.
 */
function matchesCondition(
  { when, decision }: ConsentRule,
  call: EvaluatedCall,
  rules: ConsentRules,
): boolean {
  if (when === undefined) return true
  const trusted = rules.isTrusted(call.server)
  const claims = toolClaims({ ...call.tool.annotations })
  const views = trusted ? [claims] : [claims, worst]
  const results = views.map((view) => when.holds(inputOf(call, view, trusted)))
  if (decision === 'allow') return results.every((result) => result === true)
  return results.some((result) => result !== false)
}

const worst: ToolClaims = { readOnly: false, destructive: true, idempotent: false, openWorld: true }

function inputOf(call: EvaluatedCall, claims: ToolClaims, trusted: boolean): ConditionInput {
  const { server, tool, arguments: args, flow, by } = call
  return {
    flow: { untrusted: flow.untrusted, private: flow.private },
    tool: { name: tool.name, ...claims },
    server: { name: server, trusted },
    call: { by },
    args,
  }
}

/**
 * After untrusted content a wide rule no longer allows what its server calls destructive or outward, and once private
 * content is there too no rule does, unless its `when` speaks of the flow.
 */
function whyLowered(rule: ConsentRule, { tool, flow }: EvaluatedCall): string | undefined {
  if (!flow.untrusted || rule.when?.knowsFlow === true) return undefined
  if (flow.private) {
    return `the conversation has read private and untrusted content, and ${rule.label} does not mention that`
  }
  if (rule.server.isLiteral && rule.tool.isLiteral) return undefined
  const { destructiveHint = false, openWorldHint = false } = tool.annotations ?? {}
  if (!destructiveHint && !openWorldHint) return undefined
  const kind = destructiveHint ? 'destructive' : 'open to the outside'
  return `the conversation has read untrusted content, the server calls this tool ${kind}, and ${rule.label} does not name it`
}

function shortest(durations: readonly RememberedFor[]): RememberedFor {
  if (durations.includes('once')) return 'once'
  return durations.includes('session') ? 'session' : 'always'
}
