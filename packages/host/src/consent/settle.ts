import { plainName, withoutHidden } from '@parley/foundation/text-safety'
import type { JsonObject } from '@parley/mcp'

import { argumentIssues } from './argument-issues.ts'
import type { AuditedDecision } from './audit-record.ts'
import type { ConsentAnswer, ConsentDecision, ProposedCall } from './consent.ts'
import type { Answered } from './hear.ts'
import type { IdentifiedCall } from './memory/consent-memory.ts'
import { evaluateRules } from './rules/judge.ts'
import type { ConsentRules, RememberedFor } from './rules/rule.ts'
import type { Weighed } from './weigh.ts'

/** An audited decision, and what is to be remembered of it. */
export interface Settled extends AuditedDecision {
  readonly kept?: { readonly answer: ConsentAnswer; readonly lasting: RememberedFor } | undefined
}

type Question = Extract<Weighed, { verdict: 'ask' }>

/** What rules and memory alone decide. */
export function settleVerdict(verdict: Weighed): AuditedDecision {
  switch (verdict.verdict) {
    case 'allow':
      return { decision: { decision: 'allow', rule: verdict.rule } }
    case 'deny': {
      const { rule, message } = verdict
      return { decision: { decision: 'deny', rule, message } }
    }
    case 'ask': {
      const message = 'The call was refused: nobody was asked.'
      return { decision: { decision: 'deny', rule: 'nobody was asked', message } }
    }
  }
}

/** For a call whose turn has ended. */
export const tooLate: AuditedDecision = {
  decision: {
    decision: 'deny',
    rule: 'cancelled before a decision',
    message: 'The call was cancelled before it was allowed.',
  },
}

/** What an answer, or none, makes of a question. */
export function settleAnswer(
  { call }: IdentifiedCall,
  verdict: Question,
  reply: Answered,
  rules: ConsentRules,
): Settled {
  if (reply.kind !== 'answer') return unanswered(call, verdict, reply)
  const { answer } = reply
  const isAllowed = answer.decision === 'allow'
  const edited = isAllowed ? answer.arguments : undefined
  const rejection = edited === undefined ? undefined : rejectEdited(call, edited, rules)
  if (rejection !== undefined) return { ...rejection, asked: verdict.reason, by: 'person' }
  const lasting = shorter(answer.remember ?? 'once', isAllowed ? verdict.remember : 'always')
  const duration = lasting === 'once' ? 'once' : `${lasting}, ${answer.scope ?? 'tool'}`
  const rule = `the user answered: ${isAllowed ? 'yes' : 'no'} (${duration})`
  const decision: ConsentDecision = isAllowed
    ? { decision: 'allow', rule, ...(edited !== undefined && { arguments: edited }) }
    : { decision: 'deny', rule, message: rejectionText(answer.message) }
  return { decision, asked: verdict.reason, by: 'person', kept: { answer, lasting } }
}

/** Arguments of a person go the way of others: through what forbids, and the schema. */
function rejectEdited(
  call: ProposedCall,
  edited: JsonObject,
  rules: ConsentRules,
): Settled | undefined {
  const judged = evaluateRules({ ...call, arguments: edited }, rules)
  if (judged.decision === 'deny') {
    const { label } = judged.rule
    const message = `The user changed the arguments, and the rules refuse the call with them: ${label}.`
    return { decision: { decision: 'deny', rule: label, message }, edited }
  }
  const [issue] = argumentIssues(call.tool, edited)
  if (issue === undefined) return undefined
  const rule = 'the changed arguments do not fit the schema of the tool'
  const message = `The user changed the arguments, and they do not fit the schema of the tool: ${issue}.`
  return { decision: { decision: 'deny', rule, message }, edited }
}

function unanswered(
  { server, tool }: ProposedCall,
  { reason, ruleThatAllows, standsAgainst = [] }: Question,
  reply: Exclude<Answered, { kind: 'answer' }>,
): AuditedDecision {
  if (reply.kind === 'cancelled') return { ...tooLate, asked: reason }
  const why = whyNobody('message' in reply ? reply.message : 'nobody is here to answer')
  const against =
    standsAgainst.length === 0
      ? ''
      : ` It counts once this call is taken out of ${standsAgainst.join(' and ')}.`
  const name = `${plainName(server)}/${plainName(tool.name)}`
  const allowing = withoutHidden(JSON.stringify(ruleThatAllows)).text
  const message = `${name} was not run: it needs approval (${reason}), and ${why}. This rule would allow it: ${allowing}.${against}`
  const rule = `${reason}, and ${why}`
  const decision: ConsentDecision = {
    decision: 'deny',
    rule,
    message,
    unanswered: { ruleThatAllows, ...(standsAgainst.length > 0 && { standsAgainst }) },
  }
  return { decision, asked: reason }
}

/** A program that asks may say itself that nobody is there. */
function whyNobody(message: string): string {
  return message.startsWith('nobody ') ? message : `the user could not be asked: ${message}`
}

function rejectionText(reason: string | undefined): string {
  const base = 'The user refused this call.'
  return reason === undefined || reason === '' ? base : `${base} They say: ${reason}`
}

const lengths = { once: 0, session: 1, always: 2 } as const

/** An unknown word is the shortest. */
function shorter(wanted: RememberedFor, most: RememberedFor): RememberedFor {
  if (!Object.hasOwn(lengths, wanted)) return 'once'
  return lengths[wanted] <= lengths[most] ? wanted : most
}
