/**
 * The last step of consent: asks a person about calls that rules and memory leave open, and makes a decision of each answer.
 *
 * Anything but a plain yes is a no: a missing or malformed answer, no user to ask, an answer after the turn has ended.
 * Arguments that a person changed are checked again, by the rules that deny and by the schema of the tool. Writing decisions
 * down and remembering answers is done by `create-consent.ts`.
 */

import { plainName, withoutHidden } from '@parley/foundation/text-safety'
import { compileJsonSchema, type JsonObject, type SchemaIssue, type Tool } from '@parley/mcp'
import { errorMessage, isJsonObject } from '@parley/mcp/json'
import { unlessAborted } from '@parley/mcp/signals'

import type { AuditedDecision } from './audit-record.ts'
import type {
  AskPerson,
  ConsentAnswer,
  ConsentDecision,
  ConsentQuestion,
  ProposedCall,
} from './consent.ts'
import type { OpenQuestion } from './decide.ts'
import { evaluateRules } from './rules/evaluate-rules.ts'
import type { ConsentRules, RememberedFor } from './rules/rule.ts'

/** A call that is open, and how the person is asked about it. */
export interface AskedCall {
  readonly call: ProposedCall
  readonly question: OpenQuestion
  /** In words: look-alike names, hidden characters and the like. */
  readonly warnings: readonly string[]
}

/** How long an answer of a person counts. */
export type AnswerDuration = RememberedFor | 'program'

/** A decision that came of asking, and what is to be remembered of it. */
export interface AskedDecision extends AuditedDecision {
  readonly remember?:
    | { readonly answer: ConsentAnswer; readonly duration: AnswerDuration }
    | undefined
}

/** The decision about a call whose turn has ended. */
export const tooLate: AuditedDecision = {
  decision: {
    decision: 'deny',
    rule: 'cancelled before a decision',
    message: 'The call was cancelled before it was allowed.',
  },
}

/** Asks about all calls at once. One decision for each, in order. Never rejects. */
export async function askAbout(
  calls: readonly AskedCall[],
  ask: AskPerson | undefined,
  rules: ConsentRules,
  signal: AbortSignal,
): Promise<readonly AskedDecision[]> {
  if (calls.length === 0) return []
  const questions = calls.map(({ call, question, warnings }): ConsentQuestion => ({
    call,
    reason: question.reason,
    ...(question.changes !== undefined && { changes: question.changes }),
    warnings,
    maxRemembered: question.maxRemembered,
  }))
  const received = await receiveAnswers(questions, ask, signal)
  return calls.map((asked, at) => {
    if (received.kind === 'cancelled') return { ...tooLate, asked: asked.question.reason }
    if (received.kind === 'none') return unanswered(asked, received.reason)
    const answer = received.answers[at]
    return isAnswer(answer)
      ? answered(asked, answer, rules)
      : unanswered(asked, reasonFor('there was no answer to this call'))
  })
}

type Received =
  | { readonly kind: 'answers'; readonly answers: readonly unknown[] }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'none'; readonly reason: string }

async function receiveAnswers(
  questions: readonly ConsentQuestion[],
  ask: AskPerson | undefined,
  signal: AbortSignal,
): Promise<Received> {
  if (signal.aborted) return { kind: 'cancelled' }
  if (ask === undefined) return { kind: 'none', reason: 'there is no user to answer' }
  try {
    const answers: unknown = await unlessAborted(Promise.resolve(ask(questions, signal)), signal)
    if (signal.aborted) return { kind: 'cancelled' }
    return { kind: 'answers', answers: Array.isArray(answers) ? answers : [] }
  } catch (error) {
    return signal.aborted
      ? { kind: 'cancelled' }
      : { kind: 'none', reason: reasonFor(errorMessage(error)) }
  }
}

/** A program that asks may report itself, by a message that begins with "nobody", that no user is there. */
function reasonFor(message: string): string {
  return message.startsWith('nobody ') ? message : `the user could not be asked: ${message}`
}

function isAnswer(value: unknown): value is ConsentAnswer {
  if (typeof value !== 'object' || value === null || !('decision' in value)) return false
  const isDecided = value.decision === 'allow' || value.decision === 'deny'
  const edited = 'arguments' in value ? value.arguments : undefined
  return isDecided && (edited === undefined || isJsonObject(edited))
}

function answered(
  { call, question }: AskedCall,
  answer: ConsentAnswer,
  rules: ConsentRules,
): AskedDecision {
  const { reason: asked, maxRemembered } = question
  const isAllowed = answer.decision === 'allow'
  const edited = isAllowed ? answer.arguments : undefined
  const rejected = edited === undefined ? undefined : rejectEdited(call, edited, rules)
  if (rejected !== undefined) return { ...rejected, asked, by: 'person' }
  const wanted = answer.remember ?? 'once'
  const isPossible = wanted !== 'program' || call.program !== undefined
  const duration = shorter(isPossible ? wanted : 'once', isAllowed ? maxRemembered : 'always')
  const remembered = duration === 'once' ? 'once' : `${duration}, ${answer.scope ?? 'tool'}`
  const rule = `the user answered: ${isAllowed ? 'yes' : 'no'} (${remembered})`
  const decision: ConsentDecision = isAllowed
    ? { decision: 'allow', rule, ...(edited !== undefined && { arguments: edited }) }
    : { decision: 'deny', rule, message: denialText(answer.message) }
  return { decision, asked, by: 'person', remember: { answer, duration } }
}

/** The decision against arguments that a person changed; undefined if the call may be made with them. */
function rejectEdited(
  call: ProposedCall,
  edited: JsonObject,
  rules: ConsentRules,
): AuditedDecision | undefined {
  const ruled = evaluateRules({ ...call, arguments: edited }, rules)
  if (ruled.decision === 'deny') {
    const { label } = ruled.rule
    const message = `The user changed the arguments, and the rules refuse the call with them: ${label}.`
    return { decision: { decision: 'deny', rule: label, message }, edited }
  }
  const [issue] = argumentIssues(call.tool, edited)
  if (issue === undefined) return undefined
  const rule = 'the changed arguments do not fit the schema of the tool'
  const message = `The user changed the arguments, and they do not fit the schema of the tool: ${issue}.`
  return { decision: { decision: 'deny', rule, message }, edited }
}

function unanswered({ call, question }: AskedCall, why: string): AuditedDecision {
  const { reason, ruleThatAllows, standsAgainst = [] } = question
  const against =
    standsAgainst.length === 0
      ? ''
      : ` It counts once this call is taken out of ${standsAgainst.join(' and ')}.`
  const name = `${plainName(call.server)}/${plainName(call.tool.name)}`
  const allowing = withoutHidden(JSON.stringify(ruleThatAllows)).text
  const message = `${name} was not run: it needs approval (${reason}), and ${why}. This rule would allow it: ${allowing}.${against}`
  const decision: ConsentDecision = {
    decision: 'deny',
    rule: `${reason}, and ${why}`,
    message,
    unanswered: { ruleThatAllows, ...(standsAgainst.length > 0 && { standsAgainst }) },
  }
  return { decision, asked: reason }
}

function denialText(message: string | undefined): string {
  const base = 'The user refused this call.'
  return message === undefined || message === '' ? base : `${base} They say: ${message}`
}

const order = { once: 0, program: 1, session: 2, always: 3 } as const

/** A duration that does not exist counts as the shortest. */
function shorter(wanted: AnswerDuration, max: RememberedFor): AnswerDuration {
  if (!Object.hasOwn(order, wanted)) return 'once'
  return order[wanted] <= order[max] ? wanted : max
}

/** Returns why arguments do not match the schema of a tool; none if they do, or if the schema cannot be used. */
export function argumentIssues(tool: Tool, input: JsonObject): readonly string[] {
  try {
    const validate = compileJsonSchema(tool.inputSchema, { untrusted: true, maxSteps: 100_000 })
    return (validate(input) ?? []).map(({ path, message }) =>
      path === undefined || path.length === 0 ? message : `${pathText(path)}: ${message}`,
    )
  } catch {
    return [] // the server will say what it thinks of them
  }
}

function pathText(path: NonNullable<SchemaIssue['path']>): string {
  return path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
}
