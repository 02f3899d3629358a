import type { AuditLog } from '@parley/foundation/audit'
import type { KnownName } from '@parley/foundation/text-safety'
import type { JsonObject } from '@parley/mcp'

import {
  callRecord,
  decisionRecord,
  exchangeRecord,
  outcomeRecord,
  type AuditedDecision,
} from './audit-record.ts'
import { callWarnings } from './call-warnings.ts'
import type {
  AskPerson,
  Consent,
  ConsentAnswer,
  ConsentQuestion,
  ConsentDecision,
  ProposedCall,
} from './consent.ts'
import { answerTo, hear } from './hear.ts'
import {
  emptyMemory,
  hasSeen,
  versionOf,
  withAnswer,
  withoutAnswer,
  withSeen,
  type ConsentMemory,
  type IdentifiedCall,
  type RememberedDecision,
} from './memory/consent-memory.ts'
import {
  createMemoryConsentStore,
  revokeAnswers,
  type ConsentStore,
} from './memory/consent-store.ts'
import { definitionOf, hashOf } from './memory/definition.ts'
import { noRules, type ConsentRules } from './rules/rule.ts'
import { settleAnswer, settleVerdict, tooLate, type Settled } from './settle.ts'
import { weigh } from './weigh.ts'

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

/** A consent that knows what was answered so far. */
export interface RememberingConsent extends Required<Consent> {
  /** The answers that count beyond one call, oldest first. */
  answers(): Promise<readonly GivenAnswer[]>
  /** Forgets an answer, so that its calls are asked about again. False if there is none of that id. */
  revoke(id: string): Promise<boolean>
}

/** An answer, and how long it counts. */
export interface GivenAnswer extends RememberedDecision {
  /** For this session, or until it is revoked. */
  readonly lasting: 'session' | 'always'
}

/** Decides about calls by rules, by what was remembered, and by asking a person. */
export function createConsent(options: ConsentOptions): RememberingConsent {
  const { rules = noRules, remembered = createMemoryConsentStore(), ask, audit, mask } = options
  const { now = () => new Date(), names = () => [] } = options
  let session: ConsentMemory = emptyMemory

  async function decide(
    calls: readonly ProposedCall[],
    signal: AbortSignal,
  ): Promise<readonly ConsentDecision[]> {
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
      ...(verdict.changes !== undefined && { changes: verdict.changes }),
      warnings: [...callWarnings(call, names()), ...unreadable],
      maxRemembered: verdict.remember,
    }))
    const received = await hear(questions, ask, signal)

    const decisions: ConsentDecision[] = []
    let next = 0
    for (const [at, each] of identified.entries()) {
      const verdict = weighed[at]
      if (verdict === undefined) continue // there is one for each
      const reply = verdict.verdict === 'ask' ? answerTo(received, next++) : undefined
      const decided =
        verdict.verdict === 'ask' && reply !== undefined
          ? settleAnswer(each, verdict, reply, rules)
          : settleVerdict(verdict)
      decisions.push(await write(each, decided, signal))
    }
    return decisions
  }

  /** Before it counts, it is on paper; what cannot be written down does not happen. */
  async function write(
    identified: IdentifiedCall,
    decided: Settled,
    signal: AbortSignal,
  ): Promise<ConsentDecision> {
    const isAllowed = decided.decision.decision === 'allow'
    const timely = signal.aborted && isAllowed ? tooLate : decided
    const failed = await append(identified, timely)
    if (failed !== undefined) return failed
    if (signal.aborted && timely.decision.decision === 'allow') {
      return (await append(identified, tooLate)) ?? tooLate.decision
    }
    if (timely === decided) await remember(identified, decided)
    if (timely.decision.decision === 'allow') await note(identified)
    return timely.decision
  }

  async function append(
    identified: IdentifiedCall,
    decided: AuditedDecision,
  ): Promise<ConsentDecision | undefined> {
    const record = decisionRecord(identified, decided, mask)
    const outcome = await audit.append(record).catch((error: unknown) => toError(error))
    if ('written' in outcome && outcome.written) return undefined
    const message = `The call was refused: its decision could not be written to the audit log (${outcome.message}).`
    return { decision: 'deny', rule: 'the audit log cannot be written', message }
  }

  /** Which version ran, so that another is asked about. What a person ran themselves says nothing of what a model may. */
  async function note(identified: IdentifiedCall): Promise<void> {
    if (identified.call.by === 'person' || hasSeen(session, identified)) return
    session = withSeen(session, identified)
    const always = await remembered.read().catch(() => undefined)
    if (always === undefined || hasSeen(always, identified)) return
    // The session knows; what cannot be stored is asked about again by the next.
    await remembered.change((memory) => withSeen(memory, identified)).catch(() => undefined)
  }

  async function remember(identified: IdentifiedCall, { kept }: Settled): Promise<void> {
    if (kept === undefined || kept.lasting === 'once') return
    const { answer, lasting } = kept
    const entry = entryOf(identified, answer, now())
    if (lasting === 'session') {
      session = withAnswer(session, entry)
      return
    }
    try {
      await remembered.change((memory) => withAnswer(memory, entry))
    } catch (error) {
      session = withAnswer(session, entry)
      const message = `the answer counts for this session only: ${toError(error).message}`
      await audit.append({ type: 'note', ...callRecord(identified.call), message })
    }
  }

  return {
    decide,
    async answers() {
      const always = (await remembered.read()).answers
      return [
        ...always.map((answer): GivenAnswer => ({ ...answer, lasting: 'always' })),
        ...session.answers.map((answer): GivenAnswer => ({ ...answer, lasting: 'session' })),
      ]
    },
    async revoke(id) {
      const isHere = session.answers.some((answer) => answer.id === id)
      session = withoutAnswer(session, id)
      return (await revokeAnswers(remembered, (answer) => answer.id === id)) > 0 || isHere
    },
    async recordOutcome(call, outcome) {
      const written = await audit.append(outcomeRecord(call, outcome))
      if (!written.written) throw new Error(written.message)
    },
    async recordExchange(exchange) {
      const written = await audit.append(exchangeRecord(exchange))
      if (!written.written) throw new Error(written.message)
    },
  }
}

function entryOf(
  identified: IdentifiedCall,
  { decision, scope }: ConsentAnswer,
  now: Date,
): RememberedDecision {
  const { server, serverHash, serverDefinition, flow } = identified.call
  return {
    id: crypto.randomUUID(),
    decision,
    server,
    serverHash,
    ...(serverDefinition !== undefined && { serverDefinition }),
    ...(scope !== 'server' && { tool: versionOf(identified) }),
    flow: { untrusted: flow.untrusted, private: flow.private },
    at: now.toISOString(),
  }
}

function identify(call: ProposedCall): IdentifiedCall {
  const definition = definitionOf(call.tool)
  return { call, definition, hash: hashOf(definition) }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
