/**
 * Consent: decides which calls are made. Each call goes through three steps, `evaluateRules → decide → ask`: the rules of the
 * user (`rules/evaluate-rules.ts`), what was remembered (`decide.ts`), and a person, for what is still open (`ask.ts`). All
 * calls that are proposed together are asked about together.
 *
 * This file runs the steps, writes every decision to the audit, and remembers answers. Rules are read by `rules/read-rules.ts`;
 * a host, its adapters and its apps use the `Consent` that `createConsent` returns.
 *
 * Guarantees: a decision counts only after it was written to the audit; a call that cannot be decided, or whose turn has
 * ended, is denied; a tool or server that changed since it was allowed is asked about again.
 */

import type { AuditLog } from '@parley/foundation/audit'
import type { UsedName } from '@parley/foundation/text-safety'
import type { JsonObject } from '@parley/mcp'
import { BoundedMap } from '@parley/mcp/internal'

import { askAbout, tooLate, type AskedCall, type AskedDecision } from './ask.ts'
import {
  callRecord,
  decisionRecord,
  exchangeRecord,
  outcomeRecord,
  programRecord,
  type AuditedDecision,
} from './audit-record.ts'
import { callWarnings } from './call-warnings.ts'
import type { AskPerson, Consent, ConsentAnswer, ConsentDecision, ProposedCall } from './consent.ts'
import { decide } from './decide.ts'
import {
  emptyMemory,
  hasSeen,
  versionOf,
  withAnswer,
  withoutReply,
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

/** The rules, the way to ask the user, and the audit. */
export interface ConsentOptions {
  /** @defaultValue none: every call is asked about */
  readonly rules?: ConsentRules | undefined
  /** Answers that last. @defaultValue kept in memory */
  readonly remembered?: ConsentStore | undefined
  /** Asks the user. @defaultValue no user is there: calls that need an answer are denied */
  readonly ask?: AskPerson | undefined
  /** Where each decision goes before it counts. */
  readonly audit: Pick<AuditLog, 'append'>
  /** Hides secrets in what is written to the audit. @defaultValue the values of names like `password` */
  readonly mask?: ((value: JsonObject) => JsonObject) | undefined
  /** The tools of all servers, to warn of names that look alike. */
  readonly names?: (() => Iterable<UsedName>) | undefined
  /** The time of remembered answers, in milliseconds since the epoch. @defaultValue `Date.now` */
  readonly now?: (() => number) | undefined
}

/** A consent that knows what was answered so far. */
export interface RememberingConsent extends Required<Consent> {
  /** The answers that count beyond one call, oldest first. */
  answers(): Promise<readonly RememberedAnswer[]>
  /** Forgets an answer, so that its calls are asked about again. Returns false if there is none of that id. */
  revoke(id: string): Promise<boolean>
}

/** An answer, and how long it counts. */
export interface RememberedAnswer extends RememberedDecision {
  /** For this session, or until it is revoked. */
  readonly duration: 'session' | 'always'
}

/** Decides about calls by rules, by what was remembered, and by asking a person. */
export function createConsent(options: ConsentOptions): RememberingConsent {
  const { rules = noRules, remembered = createMemoryConsentStore(), ask, audit, mask } = options
  const { now = Date.now, names = () => [] } = options
  let session: ConsentMemory = emptyMemory
  const programs = new BoundedMap<string, ConsentMemory>(maxPrograms)

  const ofProgram = ({ program }: ProposedCall): ConsentMemory =>
    (program && programs.get(program.id)) ?? emptyMemory

  async function decideAll(
    calls: readonly ProposedCall[],
    signal: AbortSignal,
  ): Promise<readonly ConsentDecision[]> {
    const read = await remembered.read().catch((error: unknown) => toError(error))
    const memories = { session, always: read instanceof Error ? emptyMemory : read }
    const unreadable =
      read instanceof Error ? [`What was remembered cannot be read: ${read.message}`] : []
    const entries = calls.map((call) => {
      const identified = identify(call)
      const memory = { ...memories, program: ofProgram(call) }
      return { identified, decided: decide(identified, rules, memory) }
    })
    const open = entries.flatMap(({ identified: { call }, decided: question }): AskedCall[] => {
      if (question.decision !== 'ask') return []
      return [{ call, question, warnings: [...callWarnings(call, names()), ...unreadable] }]
    })
    const answers = (await askAbout(open, ask, rules, signal)).values()

    const decisions: ConsentDecision[] = []
    for (const { identified, decided } of entries) {
      const { value: answered = notAsked } =
        decided.decision === 'ask' ? answers.next() : { value: { decision: decided } }
      decisions.push(await write(identified, answered, signal))
    }
    return decisions
  }

  /** Writes a decision to the audit before it counts. A call whose decision cannot be written is denied. */
  async function write(
    identified: IdentifiedCall,
    decided: AskedDecision,
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

  /** Remembers which version ran, so that another is asked about. A version that only a person ran does not count for the model. */
  async function note(identified: IdentifiedCall): Promise<void> {
    if (identified.call.by === 'person' || hasSeen(session, identified)) return
    session = withSeen(session, identified)
    const always = await remembered.read().catch(() => undefined)
    if (always === undefined || hasSeen(always, identified)) return
    // If it cannot be stored, it counts for this session, and the next one asks again.
    await remembered.change((memory) => withSeen(memory, identified)).catch(() => undefined)
  }

  async function remember(
    identified: IdentifiedCall,
    { remember: wanted }: AskedDecision,
  ): Promise<void> {
    if (wanted === undefined || wanted.duration === 'once') return
    const { answer, duration } = wanted
    const entry = entryOf(identified, answer, now())
    const { program } = identified.call
    if (duration === 'program') {
      const memory = ofProgram(identified.call)
      if (program !== undefined) programs.set(program.id, withAnswer(memory, entry))
      return
    }
    if (duration === 'session') {
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
    decide: decideAll,
    async answers() {
      const always = (await remembered.read()).answers
      return [
        ...always.map((answer): RememberedAnswer => ({ ...answer, duration: 'always' })),
        ...session.answers.map((answer): RememberedAnswer => ({ ...answer, duration: 'session' })),
      ]
    },
    async revoke(id) {
      const isHere = session.answers.some((answer) => answer.id === id)
      session = withoutReply(session, id)
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
    async recordProgram(program) {
      const written = await audit.append(programRecord(program, mask))
      if (!written.written) throw new Error(written.message)
    },
  }
}

/** The decision about a call that was not decided: it is not made. */
const notAsked: AuditedDecision = {
  decision: {
    decision: 'deny',
    rule: 'nobody was asked',
    message: 'The call was refused: no person was asked.',
  },
}

/** Programs whose answers count. Those that ended are forgotten when others come. */
const maxPrograms = 100

function entryOf(
  identified: IdentifiedCall,
  { decision, scope }: ConsentAnswer,
  now: number,
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
    at: new Date(now).toISOString(),
  }
}

function identify(call: ProposedCall): IdentifiedCall {
  const definition = definitionOf(call.tool)
  return { call, definition, hash: hashOf(definition) }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
