/**
 * The second step of consent: what the rules and the remembered answers make of one call, before the user is asked.
 *
 * A rule or a remembered answer that denies comes first. A changed definition is asked about whatever allowed it before,
 * unless a rule names the new definition. A remembered permission counts where the rules ask, as far as they let it.
 *
 * Pure: rules and memory come in, a decision or a question comes out. `rules/evaluate-rules.ts` is the step before, `ask.ts`
 * the one after; `create-consent.ts` runs all of them and writes the audit.
 */

import { escapeGlob } from '@parley/foundation/rules'
import { plainName } from '@parley/foundation/text-safety'
import type { JsonObject } from '@parley/mcp'

import type { ConsentDecision, DefinitionChange } from './consent.ts'
import {
  changesOf,
  hasSeen,
  isEnough,
  permissionsOf,
  rejectionOf,
  type ConsentMemory,
  type IdentifiedCall,
} from './memory/consent-memory.ts'
import { evaluateRules, matchesCall, type RuleResult } from './rules/evaluate-rules.ts'
import type { ConsentRules, RememberedFor } from './rules/rule.ts'

/** A call that a person has to decide about. */
export interface OpenQuestion {
  readonly decision: 'ask'
  readonly reason: string
  readonly changes?: readonly DefinitionChange[] | undefined
  /** The longest that an answer may be remembered. */
  readonly maxRemembered: RememberedFor
  /** The rule to add to the file so that this call is not asked about. */
  readonly ruleThatAllows: JsonObject
  /** Rules that ask, which that one does not outweigh. */
  readonly standsAgainst?: readonly string[] | undefined
}

/** Answers of this program, of this session, and those that last. */
export interface Memories {
  readonly program: ConsentMemory
  readonly session: ConsentMemory
  readonly always: ConsentMemory
}

/** Decides about a call by rules and memory, or says what a person is to be asked. */
export function decide(
  identified: IdentifiedCall,
  rules: ConsentRules,
  memories: Memories,
): ConsentDecision | OpenQuestion {
  const { call } = identified
  const ruled = evaluateRules(call, rules)
  if (ruled.decision === 'deny') {
    const { label } = ruled.rule
    const message = `The call was refused by the rules of the user: ${label}.`
    return { decision: 'deny', rule: label, message }
  }
  const refusal =
    rejectionOf(memories.program, identified) ??
    rejectionOf(memories.session, identified) ??
    rejectionOf(memories.always, identified)
  if (refusal !== undefined) {
    const what =
      refusal.tool === undefined ? `everything of ${plainName(call.server)}` : 'this tool'
    const message = `The user has refused ${what} before.`
    return { decision: 'deny', rule: `remembered: never, since ${refusal.at}`, message }
  }
  if (call.program !== undefined && call.program.denials >= maxDenials) {
    const rule = `denied ${maxDenials} times in this program`
    const message = `The call was refused: ${plainName(call.tool.name)} was ${rule}. Do not call it again.`
    return { decision: 'deny', rule, message }
  }
  if (call.by === 'person') return { decision: 'allow', rule: 'the user asked for this call' }
  const changes = changesSince(identified, memories)
  if (changes.length > 0) return decideChanged(identified, changes, ruled, rules)
  const confirmation = confirmationOf(identified, ruled)
  if (confirmation !== undefined) return confirmation
  if (ruled.decision === 'allow') return { decision: 'allow', rule: ruled.rule.label }
  return decideByMemory(identified, ruled, memories) ?? questionOf(identified, ruled)
}

/** After so many denials of a tool in one program nobody is asked about it again. */
const maxDenials = 3

/** Many calls of one program are confirmed once more, unless a rule names exactly this tool. */
function confirmationOf(
  identified: IdentifiedCall,
  ruled: Exclude<RuleResult, { decision: 'deny' }>,
): OpenQuestion | undefined {
  const count = identified.call.program?.confirmAfter
  if (count === undefined) return undefined
  const rule = ruled.decision === 'allow' ? ruled.rule : undefined
  if (rule !== undefined && rule.server.isLiteral && rule.tool.isLiteral) return undefined
  const reason = `this program has made ${count} calls of the tool`
  return { ...questionOf(identified, ruled), reason, maxRemembered: 'once' }
}

/** Differences from the version that ran last, in this session or before. */
function changesSince(
  identified: IdentifiedCall,
  { session, always }: Memories,
): readonly DefinitionChange[] {
  if (hasSeen(session, identified)) return []
  const answers = [...always.answers, ...session.answers]
  return changesOf({ answers, seen: [...always.seen, ...session.seen] }, identified)
}

function decideChanged(
  identified: IdentifiedCall,
  changes: readonly DefinitionChange[],
  ruled: Exclude<RuleResult, { decision: 'deny' }>,
  rules: ConsentRules,
): ConsentDecision | OpenQuestion {
  const named = rules.rules.find(
    (rule) =>
      rule.decision === 'allow' &&
      rule.definition !== undefined &&
      matchesCall(rule, identified.call, rules),
  )
  if (ruled.decision === 'allow' && named !== undefined) {
    return { decision: 'allow', rule: named.label }
  }
  const nouns = { tool: 'the definition of the tool', server: 'the server' } as const
  const what = changes.map((change) => nouns[change.what]).join(' and ')
  const since = changes.length > 1 ? 'they were allowed' : 'it was allowed'
  const question = questionOf(identified, ruled)
  return {
    ...question,
    reason: `${what} changed since ${since}`,
    changes,
    ruleThatAllows: { ...question.ruleThatAllows, definition: identified.hash },
  }
}

/** Decides by a remembered permission; undefined if there is none. */
function decideByMemory(
  identified: IdentifiedCall,
  ruled: Extract<RuleResult, { decision: 'ask' }>,
  { program, session, always }: Memories,
): ConsentDecision | OpenQuestion | undefined {
  const { remember } = ruled
  if (remember === 'once') return undefined
  const permissions = [
    ...permissionsOf(program, identified).map((answer) => ({ answer, until: 'for this program' })),
    ...permissionsOf(session, identified).map((answer) => ({ answer, until: 'for this session' })),
    ...(remember === 'always'
      ? permissionsOf(always, identified).map((answer) => ({ answer, until: 'always' }))
      : []),
  ]
  const enough = permissions.find(({ answer }) => isEnough(answer, identified))
  if (enough !== undefined) {
    return { decision: 'allow', rule: `remembered: ${enough.until}, since ${enough.answer.at}` }
  }
  if (permissions.length === 0) return undefined
  const reason = 'it was allowed before the conversation read what it has read since'
  return { ...questionOf(identified, ruled), reason }
}

function questionOf(
  { call }: IdentifiedCall,
  ruled: Exclude<RuleResult, { decision: 'deny' }>,
): OpenQuestion {
  const isMixed = call.flow.untrusted && call.flow.private
  const ruleThatAllows = {
    server: escapeGlob(call.server),
    tool: escapeGlob(call.tool.name),
    ...(isMixed && { when: 'flow.untrusted && flow.private' }),
    decision: 'allow',
  }
  if (ruled.decision === 'allow') {
    return {
      decision: 'ask',
      reason: ruled.rule.label,
      maxRemembered: 'always',
      ruleThatAllows,
    }
  }
  const { reason, remember: maxRemembered, rules } = ruled
  const standsAgainst = rules.map(({ label }) => label)
  return { decision: 'ask', reason, maxRemembered, ruleThatAllows, standsAgainst }
}
