import type { AuthInfo } from '../../rpc/auth-info.ts'
import type { Clock } from '../../rpc/clock.ts'
import { RpcError } from '../../rpc/rpc-error.ts'
import { HttpRefusal } from './http-errors.ts'
import { principalOf, type HttpSession } from './http-session.ts'

export interface SessionLimits {
  /** Unused for so long. */
  readonly idleMs: number
  /** Since it was opened. */
  readonly maxMs: number
  readonly total: number
  /** Of one authenticated principal. */
  readonly perPrincipal: number
  /** How long ended streams are kept. */
  readonly keepMs: number
}

/** The sessions of one endpoint. An id is no authority: it opens nothing for another principal. */
export interface HttpSessions extends Disposable {
  readonly size: number
  all(): Iterable<HttpSession>
  /** Throws `HttpRefusal` when there is no room for one more of this caller. */
  requireRoom(auth: AuthInfo | undefined): void
  add(session: HttpSession): void
  /** Throws 404 for an id that is unknown, ended, or somebody else's. */
  get(id: string, auth: AuthInfo | undefined): HttpSession
  find(id: string, auth: AuthInfo | undefined): HttpSession | undefined
  end(session: HttpSession, why: string): void
}

const sweepMs = 10_000

export function createHttpSessions(clock: Clock, limits: SessionLimits): HttpSessions {
  const sessions = new Map<string, HttpSession>()
  const counts = new Map<string, number>()
  let timer: Disposable | undefined

  function find(id: string, auth: AuthInfo | undefined): HttpSession | undefined {
    const session = sessions.get(id)
    return session?.principal === principalOf(auth) ? session : undefined
  }

  function end(session: HttpSession, why: string): void {
    if (session.id === undefined || !sessions.delete(session.id)) return
    const count = (counts.get(session.principal) ?? 1) - 1
    if (count === 0) counts.delete(session.principal)
    else counts.set(session.principal, count)
    session.end(why)
  }

  function sweep(): void {
    timer = undefined
    const now = clock.now()
    for (const session of sessions.values()) {
      session.streams.sweep(limits.keepMs)
      if (session.isBusy()) session.usedAt = now
      if (now - session.openedAt > limits.maxMs)
        end(session, 'the session has reached its greatest age')
      else if (now - session.usedAt > limits.idleMs) end(session, 'the session was not used')
    }
    watch()
  }

  /** A caller that never finished its handshake makes room for one that may. */
  function dropUnfinished(): boolean {
    for (const session of sessions.values()) {
      if (session.isReady || session.isBusy()) continue
      end(session, 'the handshake was not finished')
      return true
    }
    return false
  }

  function watch(): void {
    if (sessions.size > 0) timer ??= clock.setTimer(sweep, sweepMs)
  }

  return {
    get size() {
      return sessions.size
    },
    all: () => sessions.values(),
    end,

    requireRoom(auth) {
      if (sessions.size >= limits.total && !dropUnfinished()) {
        throw tooManySessions(503, limits.total)
      }
      const own = auth === undefined ? 0 : (counts.get(principalOf(auth)) ?? 0)
      if (own >= limits.perPrincipal) throw tooManySessions(429, limits.perPrincipal)
    },

    add(session) {
      if (session.id === undefined) return
      sessions.set(session.id, session)
      counts.set(session.principal, (counts.get(session.principal) ?? 0) + 1)
      watch()
    },

    find,
    get(id, auth) {
      const session = find(id, auth)
      if (session === undefined) throw sessionNotFound()
      session.usedAt = clock.now()
      return session
    },

    [Symbol.dispose]() {
      timer?.[Symbol.dispose]()
      for (const session of sessions.values()) end(session, 'the server is shutting down')
    },
  }
}

/** An id that is unknown, ended, or somebody else's: which of these is nobody's business. */
export function sessionNotFound(): HttpRefusal {
  const why = 'there is no such session: initialize anew'
  return new HttpRefusal(404, new RpcError('session_not_found', why))
}

/** For everybody together, or for one caller alone. */
export function tooManySessions(status: 429 | 503, most: number): HttpRefusal {
  const why =
    status === 503
      ? `there are ${most} sessions already (maxSessions)`
      : `this caller has ${most} sessions already (maxSessions.perPrincipal)`
  return new HttpRefusal(status, new RpcError('overloaded', why), { 'retry-after': '10' })
}
