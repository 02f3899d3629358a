import type { AuthInfo } from '../../rpc/auth-info.ts'
import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/error-report.ts'
import type { ResolvedLimits } from '../../rpc/limits.ts'
import { capabilitiesOf } from '../../server/capabilities.ts'
import type { Definition } from '../../server/definition.ts'
import type { Greeting } from '../../server/greeting.ts'
import type { Codec } from '../../wire/codec.ts'
import { createCallersInFlight, type CallersInFlight } from './callers-in-flight.ts'
import type { BodyLimits } from './exchange.ts'
import type { resolveHttpOptions } from './http-options.ts'
import { createHttpSession, type HttpSession } from './http-session.ts'
import { createHttpSessions, type HttpSessions } from './http-sessions.ts'
import { createLateness, type Lateness } from './lateness.ts'
import { createMemoryEventLog } from './memory-event-log.ts'
import { randomId } from './random-id.ts'
import type { Trace } from './trace.ts'

export interface EndpointSetup {
  readonly definition: Definition
  readonly settings: ReturnType<typeof resolveHttpOptions>
  readonly limits: ResolvedLimits
  readonly revisions: readonly string[]
  readonly clock: Clock
  readonly onError: OnError
  readonly trace: Trace
  readonly isDraining: () => boolean
}

/** What the requests of one endpoint share: its settings, its sessions, and those that last for one request. */
export interface SessionAccess extends EndpointSetup {
  readonly sessions: HttpSessions
  readonly callers: CallersInFlight
  readonly bodyLimits: BodyLimits
  /** How long a caller waits for its answer before that becomes a stream. */
  readonly patience: Lateness
  /** Every session, those without an id included. */
  all(): readonly HttpSession[]
  /** After a handshake. Throws `HttpRefusal` when there is no room. */
  open(greeting: Greeting, auth: AuthInfo | undefined): HttpSession
  /** For one request, where sessions are off. */
  openWithoutHandshake(codec: Codec, auth: AuthInfo | undefined): HttpSession
  /** Ends a session that was for one request. */
  forget(session: HttpSession): void
}

export function createSessionAccess(setup: EndpointSetup): SessionAccess {
  const { definition, settings, limits, clock, onError, trace } = setup
  const { hasSessions, replay, keepAliveMs, sessionLimits } = settings
  const log = replay === false ? undefined : createMemoryEventLog(replay)
  const sessions = createHttpSessions(clock, sessionLimits)
  const passing = new Set<HttpSession>()

  function create(id: string | undefined, greeting: Greeting, auth: AuthInfo | undefined) {
    return createHttpSession({
      id,
      greeting,
      auth,
      definition,
      clock,
      limits,
      onError,
      log,
      keepAliveMs,
      trace,
    })
  }

  function createPassing(greeting: Greeting, auth: AuthInfo | undefined): HttpSession {
    const session = create(undefined, greeting, auth)
    passing.add(session)
    return session
  }

  return {
    ...setup,
    sessions,
    callers: createCallersInFlight(limits.inFlight),
    bodyLimits: {
      maxBytes: limits.messageBytes,
      timeoutMs: settings.bodyMs,
      lateness: createLateness(clock, settings.bodyMs),
    },
    patience: createLateness(clock, keepAliveMs),
    all: () => [...sessions.all(), ...passing],

    open(greeting, auth) {
      if (!hasSessions) return createPassing(greeting, auth)
      sessions.requireRoom(auth)
      const session = create(randomId(), greeting, auth)
      sessions.add(session)
      return session
    },

    openWithoutHandshake(codec, auth) {
      const declared = capabilitiesOf(definition)
      return createPassing({ hello: { capabilities: {} }, codec, declared, result: {} }, auth)
    },

    forget(session) {
      if (passing.delete(session)) session.end('its request is done')
    },
  }
}
