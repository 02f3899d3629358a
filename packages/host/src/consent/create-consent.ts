import type { AuditLog } from '@parley/foundation/audit'
import type { JsonObject } from '@parley/mcp'

import { callWarnings } from '../text-safety/call-warnings.ts'
import type { KnownName } from '../text-safety/look-alikes.ts'
import { argumentIssues } from './argument-issues.ts'
import { decisionRecord, outcomeRecord, type AuditedDecision } from './audit-record.ts'
import type {
  AskPerson,
  Consent,
  ConsentAnswer,
  ConsentQuestion,
  Decision,
  ProposedCall,
} from './consent.ts'
import {
  emptyMemory,
  hasSeen,
  versionOf,
  withAnswer,
  withSeen,
  type ConsentMemory,
  type IdentifiedCall,
  type RememberedAnswer,
} from './memory/consent-memory.ts'
import { memoryConsentStore, type ConsentStore } from './memory/consent-store.ts'
import { definitionOf, hashOf } from './memory/definition.ts'
import { judge } from './rules/judge.ts'
import { noRules, type ConsentRules, type RememberedFor } from './rules/rule.ts'
import { weigh, type Weighed } from './weigh.ts'

/** What decides, who is asked, and where it is written down. */
export interface ConsentOptions {
  /** @defaultValue none: every call is asked about */
  readonly rules?: ConsentRules | undefined
  /** Answers that last. @defaultValue kept in memory */
  readonly remembered?: ConsentStore | undefined
  /** How a person is asked. @defaultValue nobody is there: what would be asked is refused */
  readonly ask?: AskPerson | undefined
  /** Where each decision goes before it counts. */
  readonly audit: Pick<AuditLog, 'append'>
  /** Hides secrets in what is written to the audit. @defaultValue the values of names like `password` */
  readonly mask?: ((value: JsonObject) => JsonObject) | undefined
  /** The tools of all servers, to warn of names that look alike. */
  readonly names?: (() => Iterable<KnownName>) | undefined
  /** The time for what is remembered. @defaultValue the clock */
  readonly now?: (() => Date) | undefined
}

/** Decides about calls by rules, by what was remembered, and by asking a person. */
export function createConsent(options: ConsentOptions): Required<Consent> {
  const { rules = noRules, remembered = memoryConsentStore(), ask, audit, mask } = options
  const { now = () => new Date(), names = () => [] } = options
  let session: ConsentMemory = emptyMemory

  async function decide(
    calls: readonly ProposedCall[],
    signal: AbortSignal,
  ): Promise<readonly Decision[]> {
    const read = await remembered.read().catch((error: unknown) => toError(error))
    const always = read instanceof Error ? emptyMemory : read
    const unreadable =
      read instanceof Error ? [`What was remembered cannot be read: ${read.message}`] : []
    const memories = { session, always }
    const identified = calls.map(identify)
    const weighed = identified.map((each) => weigh(each, rules, memories))
    const open = identified.flatMap((each, at) => {
      const verdict = weighed[at]
      return verdict?.verdict === 'ask' ? [{ each, verdict }] : []
    })
    const questions = open.map(({ each: { call }, verdict }): ConsentQuestion => ({
      call,
      reason: verdict.reason,
      ...(verdict.changed !== undefined && { changed: verdict.changed }),
      warnings: [...callWarnings(call, names()), ...unreadable],
      mostRemembered: verdict.remember,
    }))
    const heard = await hear(questions, ask, signal)

    const decisions: Decision[] = []
    let next = 0
    for (const [at, each] of identified.entries()) {
      const verdict = weighed[at]
      if (verdict === undefined) continue // there is one for each
      const answered = verdict.verdict === 'ask' ? answerTo(heard, next++) : undefined
      const settled =
        verdict.verdict === 'ask' && answered !== undefined
          ? await settleAnswer(each, verdict, answered)
          : settleVerdict(verdict)
      decisions.push(await write(each, settled, signal))
    }
    return decisions
  }

  /** Before it counts, it is on paper; what cannot be written down does not happen. */
  async function write(
    identified: IdentifiedCall,
    settled: AuditedDecision,
    signal: AbortSignal,
  ): Promise<Decision> {
    const timely = signal.aborted && settled.decision.decision === 'allow' ? tooLate : settled
    const failed = await append(identified, timely)
    if (failed !== undefined) return failed
    if (signal.aborted && timely.decision.decision === 'allow') {
      return (await append(identified, tooLate)) ?? tooLate.decision
    }
    if (timely.decision.decision === 'allow') await note(identified)
    return timely.decision
  }

  async function append(
    identified: IdentifiedCall,
    settled: AuditedDecision,
  ): Promise<Decision | undefined> {
    const record = decisionRecord(identified, settled, mask)
    const outcome = await audit.append(record).catch((error: unknown) => toError(error))
    if ('written' in outcome && outcome.written) return undefined
    const message = `The call was refused: its decision could not be written to the audit log (${outcome.message}).`
    return { decision: 'deny', rule: 'the audit log cannot be written', message }
  }

  /** Which version ran, so that another is asked about. */
  async function note(identified: IdentifiedCall): Promise<void> {
    if (!hasSeen(session, identified)) session = withSeen(session, identified)
    const always = await remembered.read().catch(() => undefined)
    if (always === undefined || hasSeen(always, identified)) return
    // The session knows; what cannot be stored is asked about again by the next.
    await remembered.change((memory) => withSeen(memory, identified)).catch(() => undefined)
  }

  async function settleAnswer(
    identified: IdentifiedCall,
    verdict: Extract<Weighed, { verdict: 'ask' }>,
    answered: Answered,
  ): Promise<AuditedDecision> {
    if (answered.kind !== 'answer') return unanswered(identified.call, verdict, answered)
    const { answer } = answered
    const isAllowed = answer.decision === 'allow'
    const edited = isAllowed ? answer.arguments : undefined
    const refused = edited === undefined ? undefined : refuseEdited(identified.call, edited)
    if (refused !== undefined) return { ...refused, asked: verdict.reason, by: 'person' }
    const lasting = shorter(answer.remember ?? 'once', verdict.remember)
    const lost = await rememberAnswer(identified, answer, lasting)
    const kept = lasting === 'once' ? 'once' : `${lasting}, ${answer.scope ?? 'tool'}`
    const rule = `the user answered: ${isAllowed ? 'yes' : 'no'} (${kept}${lost})`
    const decision: Decision = isAllowed
      ? { decision: 'allow', rule, ...(edited !== undefined && { arguments: edited }) }
      : { decision: 'deny', rule, message: refusalText(answer.message) }
    return { decision, asked: verdict.reason, by: 'person' }
  }

  function refuseEdited(call: ProposedCall, edited: JsonObject): AuditedDecision | undefined {
    const judged = judge({ ...call, arguments: edited }, rules)
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

  /** Says so if it could not be kept: the answer counts for this call then. */
  async function rememberAnswer(
    identified: IdentifiedCall,
    answer: ConsentAnswer,
    lasting: RememberedFor,
  ): Promise<string> {
    if (lasting === 'once') return ''
    const { server, serverHash, serverDefinition, flow } = identified.call
    const kept: RememberedAnswer = {
      id: crypto.randomUUID(),
      decision: answer.decision,
      server,
      serverHash,
      ...(serverDefinition !== undefined && { serverDefinition }),
      ...(answer.scope !== 'server' && { tool: versionOf(identified) }),
      flow: { untrusted: flow.untrusted, private: flow.private },
      at: now().toISOString(),
    }
    if (lasting === 'session') {
      session = withAnswer(session, kept)
      return ''
    }
    try {
      await remembered.change((memory) => withAnswer(memory, kept))
      return ''
    } catch (error) {
      return `; it could not be kept: ${toError(error).message}`
    }
  }

  return {
    decide,
    async recordOutcome(call, outcome) {
      await audit.append(outcomeRecord(call, outcome))
    },
  }
}

/** What came of asking. */
type Heard =
  | { readonly kind: 'answers'; readonly answers: readonly unknown[] }
  | { readonly kind: 'nobody' | 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string }

type Answered =
  | { readonly kind: 'answer'; readonly answer: ConsentAnswer }
  | { readonly kind: 'nobody' | 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string }

/** An answer that comes after the end is not heard. */
async function hear(
  questions: readonly ConsentQuestion[],
  ask: AskPerson | undefined,
  signal: AbortSignal,
): Promise<Heard> {
  if (questions.length === 0) return { kind: 'answers', answers: [] }
  if (signal.aborted) return { kind: 'cancelled' }
  if (ask === undefined) return { kind: 'nobody' }
  let stop = (): void => {}
  const cancelled = new Promise<Heard>((resolve) => {
    stop = () => resolve({ kind: 'cancelled' })
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    const asked = Promise.resolve(ask(questions, signal)).then((answers): Heard => ({
      kind: 'answers',
      answers: Array.isArray(answers) ? answers : [],
    }))
    const first = await Promise.race([asked, cancelled])
    return signal.aborted ? { kind: 'cancelled' } : first
  } catch (error) {
    return signal.aborted
      ? { kind: 'cancelled' }
      : { kind: 'failed', message: toError(error).message }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Whatever is not plainly a yes is a no. */
function answerTo(heard: Heard, at: number): Answered {
  if (heard.kind !== 'answers') return heard
  const answer = heard.answers[at]
  if (!isAnswer(answer)) return { kind: 'failed', message: 'there was no answer to this call' }
  return { kind: 'answer', answer }
}

function isAnswer(value: unknown): value is ConsentAnswer {
  if (typeof value !== 'object' || value === null || !('decision' in value)) return false
  return value.decision === 'allow' || value.decision === 'deny'
}

function settleVerdict(verdict: Weighed): AuditedDecision {
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

const tooLate: AuditedDecision = {
  decision: {
    decision: 'deny',
    rule: 'cancelled before a decision',
    message: 'The call was cancelled before it was allowed.',
  },
}

function unanswered(
  { server, tool }: ProposedCall,
  { reason, ruleThatAllows, standsAgainst }: Extract<Weighed, { verdict: 'ask' }>,
  answered: Exclude<Answered, { kind: 'answer' }>,
): AuditedDecision {
  if (answered.kind === 'cancelled') return { ...tooLate, asked: reason }
  const why =
    'message' in answered
      ? `the user could not be asked: ${answered.message}`
      : 'nobody is here to answer'
  const against =
    standsAgainst === undefined ? '' : ` It counts once this call is taken out of ${standsAgainst}.`
  const message = `${server}/${tool.name} was not run: it needs consent (${reason}), and ${why}. This rule would allow it: ${JSON.stringify(ruleThatAllows)}.${against}`
  const rule = `asked (${reason}), and ${why}`
  const decision: Decision = { decision: 'deny', rule, message, unanswered: { ruleThatAllows } }
  return { decision, asked: reason }
}

function refusalText(said: string | undefined): string {
  const base = 'The user refused this call.'
  return said === undefined || said === '' ? base : `${base} They say: ${said}`
}

const lengths = { once: 0, session: 1, always: 2 } as const

/** An unknown word is the shortest. */
function shorter(wanted: RememberedFor, most: RememberedFor): RememberedFor {
  if (!Object.hasOwn(lengths, wanted)) return 'once'
  return lengths[wanted] <= lengths[most] ? wanted : most
}

function identify(call: ProposedCall): IdentifiedCall {
  const definition = definitionOf(call.tool)
  return { call, definition, hash: hashOf(definition) }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
