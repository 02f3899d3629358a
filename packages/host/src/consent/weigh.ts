import { plainName } from '@parley/foundation/text-safety'
import type { JsonObject } from '@parley/mcp'

import type { DefinitionChange } from './consent.ts'
import {
  changesOf,
  hasSeen,
  isEnough,
  permissionsOf,
  refusalOf,
  type ConsentMemory,
  type IdentifiedCall,
} from './memory/consent-memory.ts'
import { escapeGlob } from './rules/glob.ts'
import { fitsCall, evaluateRules, type RuleResult } from './rules/judge.ts'
import type { ConsentRules, RememberedFor } from './rules/rule.ts'

/** What rules and memory say of a call. */
export type Weighed =
  | { readonly verdict: 'allow'; readonly rule: string }
  | { readonly verdict: 'deny'; readonly rule: string; readonly message: string }
  | {
      readonly verdict: 'ask'
      readonly reason: string
      readonly changes?: readonly DefinitionChange[] | undefined
      readonly remember: RememberedFor
      /** What to write into the file, so that nobody is asked. */
      readonly ruleThatAllows: JsonObject
      /** Rules that ask, which that one does not outweigh. */
      readonly standsAgainst?: readonly string[] | undefined
    }

/** Answers of this session, and those that last. */
export interface Memories {
  readonly session: ConsentMemory
  readonly always: ConsentMemory
}

/**
 * What forbids comes first: rules, then remembered refusals. A changed definition is asked about whatever allowed it
 * before, unless a rule names the new one. A remembered answer counts where somebody would be asked, as far as the rule that asks lets it.
 */
export function weigh(
  identified: IdentifiedCall,
  rules: ConsentRules,
  memories: Memories,
): Weighed {
  const { call } = identified
  const judged = evaluateRules(call, rules)
  if (judged.decision === 'deny') {
    const message = `The call was refused by the rules of the user: ${judged.rule.label}.`
    return { verdict: 'deny', rule: judged.rule.label, message }
  }
  const rejection =
    refusalOf(memories.session, identified) ?? refusalOf(memories.always, identified)
  if (rejection !== undefined) {
    const what =
      rejection.tool === undefined ? `everything of ${plainName(call.server)}` : 'this tool'
    const message = `The user has refused ${what} before.`
    return { verdict: 'deny', rule: `remembered: never, since ${rejection.at}`, message }
  }
  if (call.by === 'person') return { verdict: 'allow', rule: 'the user asked for this call' }
  const changes = changesSince(identified, memories)
  if (changes.length > 0) return weighChanges(identified, changes, judged, rules)
  if (judged.decision === 'allow') return { verdict: 'allow', rule: judged.rule.label }
  return rememberedFor(identified, judged, memories) ?? question(identified, judged)
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

function weighChanges(
  identified: IdentifiedCall,
  changes: readonly DefinitionChange[],
  judged: Exclude<RuleResult, { decision: 'deny' }>,
  rules: ConsentRules,
): Weighed {
  const named = rules.rules.find(
    (rule) =>
      rule.decision === 'allow' &&
      rule.definition !== undefined &&
      fitsCall(rule, identified.call, rules),
  )
  if (judged.decision === 'allow' && named !== undefined) {
    return { verdict: 'allow', rule: named.label }
  }
  const words = { tool: 'the definition of the tool', server: 'the server' } as const
  const what = changes.map((change) => words[change.what]).join(' and ')
  const asked = question(identified, judged)
  const since = changes.length > 1 ? 'they were allowed' : 'it was allowed'
  return {
    ...asked,
    reason: `${what} changed since ${since}`,
    changes,
    ruleThatAllows: { ...asked.ruleThatAllows, definition: identified.hash },
  }
}

function rememberedFor(
  identified: IdentifiedCall,
  judged: Extract<RuleResult, { decision: 'ask' }>,
  { session, always }: Memories,
): Weighed | undefined {
  const { remember } = judged
  if (remember === 'once') return undefined
  const decisions = [
    ...permissionsOf(session, identified).map((answer) => ({ answer, kept: 'for this session' })),
    ...(remember === 'always'
      ? permissionsOf(always, identified).map((answer) => ({ answer, kept: 'always' }))
      : []),
  ]
  const enough = decisions.find(({ answer }) => isEnough(answer, identified))
  if (enough !== undefined) {
    return { verdict: 'allow', rule: `remembered: ${enough.kept}, since ${enough.answer.at}` }
  }
  if (decisions.length === 0) return undefined
  const reason = 'it was allowed before the conversation read what it has read since'
  return { ...question(identified, judged), reason }
}

function question(
  { call }: IdentifiedCall,
  judged: Exclude<RuleResult, { decision: 'deny' }>,
): Extract<Weighed, { verdict: 'ask' }> {
  const isMixed = call.flow.untrusted && call.flow.private
  const ruleThatAllows = {
    server: escapeGlob(call.server),
    tool: escapeGlob(call.tool.name),
    ...(isMixed && { when: 'flow.untrusted && flow.private' }),
    decision: 'allow',
  }
  if (judged.decision === 'allow') {
    return { verdict: 'ask', reason: judged.rule.label, remember: 'always', ruleThatAllows }
  }
  const { reason, remember, rules } = judged
  const standsAgainst = rules.map(({ label }) => label)
  return { verdict: 'ask', reason, remember, ruleThatAllows, standsAgainst }
}
