import { accountOfPrincipal, principalOf, type AuthInfo } from '../../../rpc/auth-info.ts'
import { HeldBytes, type ByteAccount } from '../../../rpc/byte-account.ts'
import type { OnError } from '../../../rpc/errors/error-report.ts'
import { jsonWeight } from '../../../rpc/json/json-weight.ts'
import { PassingList } from '../../../rpc/passing-list.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import type { ServerLimits } from '../../../rpc/server-limits.ts'
import type { Clock } from '../../../rpc/time/clock.ts'
import { createDeadlines } from '../../../rpc/time/deadlines.ts'
import { createSharedTimer, type SharedTimer } from '../../../rpc/time/shared-timer.ts'
import type { ServerCapabilities } from '../../../schema/capabilities.ts'
import type { Seals } from '../../../server/calls/caller.ts'
import { capabilitiesOf } from '../../../server/capabilities.ts'
import type { Definition } from '../../../server/definition.ts'
import type { AnsweredGreeting, Greeting } from '../../../server/peer/initialize.ts'
import type { Codec } from '../../../wire/codec.ts'
import { codecFor } from '../../../wire/revisions.ts'
import {
  createCallersInFlight,
  noRoom,
  requestLimits,
  type CallersInFlight,
} from '../admission/capacity.ts'
import type { CallerAccount, RequestCaller } from '../admission/request-caller.ts'
import type { resolveHttpOptions } from '../http-options.ts'
import { createModern, type Modern } from '../modern.ts'
import type { BodyLimits } from '../runtime/exchange.ts'
import { createMemoryEventLog } from '../streams/memory-event-log.ts'
import type { Trace } from '../trace.ts'
import { HttpSession, type SessionSetup } from './http-session.ts'
import { createHttpSessions, type HttpSessions } from './http-sessions.ts'
import { randomId } from './random-id.ts'
import type { SessionFacts, SessionRecord } from './session-records.ts'
import { sweepMs } from './session-upkeep.ts'

export interface EndpointSetup {
  readonly definition: Definition
  readonly settings: ReturnType<typeof resolveHttpOptions>
  readonly limits: ServerLimits
  readonly revisions: readonly string[]
  readonly clock: Clock
  readonly onError: OnError
  readonly trace: Trace
  readonly isDraining: () => boolean
  readonly seals: Seals
  /** What callers make this process hold. */
  readonly bytes: ByteAccount
}

/** What the requests of one endpoint share: its settings, its sessions, and those that last for one request. */
export interface SessionAccess extends EndpointSetup {
  readonly sessions: HttpSessions
  readonly callers: CallersInFlight
  /** Requests that need no session; undefined where no revision has them. */
  readonly modern: Modern | undefined
  readonly bodyLimits: BodyLimits
  /** How long a caller waits for its answer before that becomes a stream. */
  readonly streamAfter: SharedTimer
  /** Every session, those without an id included. */
  all(): readonly HttpSession[]
  /** After a handshake. Throws `HttpRefusal` when there is no room. */
  open(greeting: AnsweredGreeting, caller: RequestCaller): MaybePromise<HttpSession>
  /** For one request, where sessions are off. */
  openWithoutHandshake(codec: Codec, auth: AuthInfo | undefined): HttpSession
  /** Ends a session that was for one request. */
  forget(session: HttpSession): void
}

export function createSessionAccess(endpoint: EndpointSetup): SessionAccess {
  const { definition, settings, limits, clock, onError, trace, revisions } = endpoint
  const { hasSessions, replay, keepAliveMs, sessionLimits, cluster, pollMs } = settings
  const isShared = cluster?.sessions !== undefined
  const charge = {
    account: endpoint.bytes,
    callerOf: (sessionId: string): CallerAccount => sessions.accountOf(sessionId),
  }
  const setup: SessionSetup = {
    definition,
    clock,
    limits,
    onError,
    log:
      replay === false ? undefined : (cluster?.log ?? createMemoryEventLog(replay, clock, charge)),
    replay: replay === false ? { events: 0, bytes: 0 } : replay,
    keepAliveMs,
    poll: pollMs === undefined ? undefined : createSharedTimer(clock, pollMs),
    trace,
    keepTime: (dueAt) => deadlines.arm(dueAt),
  }
  const sessions = createHttpSessions({
    clock,
    limits: sessionLimits,
    records: cluster?.sessions,
    onError,
    revive,
  })
  const passing = new PassingList<HttpSession>()
  const declare = shareEqual<ServerCapabilities>()
  const deadlines = createDeadlines(clock, timeOut, sweepMs)

  function timeOut(now: number): number {
    return all().reduce((next, session) => Math.min(next, session.timeOut(now)), Infinity)
  }

  function all(): readonly HttpSession[] {
    return [...sessions.all(), ...passing]
  }

  /** As another process knows it. What a server can do is the same everywhere it is served. */
  function revive(record: SessionRecord): HttpSession | undefined {
    const { id, revision, createdAt } = record.facts
    const codec = codecFor(revision, revisions)
    if (codec === undefined) return undefined
    const account = accountOfPrincipal(record.facts.principal)
    const held = new HeldBytes(endpoint.bytes, account)
    held.reserve(sessionBytes + jsonWeight(JSON.stringify(record.facts))) // it is served even where there is no room
    const session = new HttpSession({
      setup,
      id,
      account,
      held,
      record,
      codec,
      declared: declare(capabilitiesOf(definition)),
      openedAt: clock.now() - Math.max(0, Date.now() - createdAt),
      lastQuestion: firstQuestion(),
    })
    session.writtenAt = -Infinity // by others, nobody knows when
    return session
  }

  function create(
    id: string | undefined,
    greeting: Greeting,
    principal: string,
    account: CallerAccount,
    held?: HeldBytes,
  ): HttpSession {
    const { hello, codec, declared } = greeting
    const { clientInfo, capabilities } = hello
    const createdAt = Date.now()
    const facts: SessionFacts = {
      id: id ?? '',
      revision: codec.revision,
      clientInfo,
      capabilities,
      principal,
      createdAt,
      expiresAt: createdAt + sessionLimits.maxMs,
      isReady: id === undefined,
      subscriptions: none,
    }
    return new HttpSession({
      setup,
      id,
      account,
      held,
      record: { facts, version: 0 },
      codec,
      declared: id === undefined ? declared : declare(declared),
      openedAt: clock.now(),
      lastQuestion: firstQuestion(),
    })
  }

  /** Processes that ask the same client must not use the same number. */
  function firstQuestion(): number {
    return isShared ? Math.floor(Math.random() * 2 ** 32) * 2 ** 20 : 0
  }

  function createPassing(greeting: Greeting, auth: AuthInfo | undefined): HttpSession {
    const session = create(undefined, greeting, principalOf(auth), '')
    passing.add(session)
    return session
  }

  const callers = createCallersInFlight(requestLimits(limits.inFlight))
  const streamAfter = createSharedTimer(clock, keepAliveMs)

  return {
    ...endpoint,
    sessions,
    callers,
    modern: createModern({ ...endpoint, callers, streamAfter }),
    bodyLimits: {
      maxBytes: limits.messageBytes,
      timeoutMs: settings.bodyMs,
      timer: createSharedTimer(clock, settings.bodyMs),
    },
    streamAfter,
    all,

    open(greeting, { auth, account }) {
      if (!hasSessions) return createPassing(greeting, auth)
      sessions.requireRoom(account)
      const held = new HeldBytes(endpoint.bytes, account)
      let refusal = held.reserve(sessionBytes + greeting.bytes)
      while (refusal && sessions.makeRoom(account)) {
        refusal = held.reserve(sessionBytes + greeting.bytes)
      }
      if (refusal) throw noRoom(refusal)
      return sessions.add(create(randomId(), greeting, principalOf(auth), account, held))
    },

    openWithoutHandshake(codec, auth) {
      const declared = capabilitiesOf(definition)
      return createPassing({ hello: { capabilities: {} }, codec, declared }, auth)
    },

    forget(session) {
      if (passing.delete(session)) session.end('its request is done')
    },
  }
}

/** What a session takes besides what its client said. */
const sessionBytes = 1_024

const none: readonly string[] = Object.freeze([])

/** Gives the same object for equal values that follow each other, so that thousands of sessions share one. */
function shareEqual<T extends object>(): (value: T) => T {
  let last: T | undefined
  let lastText = ''
  return (value) => {
    if (value === last) return value
    const text = JSON.stringify(value)
    if (last === undefined || text !== lastText) {
      last = value
      lastText = text
    }
    return last
  }
}
