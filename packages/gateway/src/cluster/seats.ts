import type { StoreCluster } from '@parley/cluster'
import { RpcError } from '@parley/mcp'
import { notifySession, onSessionEnded } from '@parley/mcp/http'
import { ForwardedCall, type BackendCall, type BackendClient } from '@parley/mcp/internal/relay'
import { type ProxySession } from '@parley/mcp/proxy'

import type { Upstream } from '../upstreams/upstream.ts'

/**
 * Sessions with servers on behalf of callers whose requests come by several processes. Each is at the process that has it;
 * what its server says outside of a call reaches the caller wherever that listens.
 */
export interface Seats extends Disposable {
  /** The session of this caller with a server; opened when it is first needed. */
  at(upstream: Upstream, call: BackendCall): Promise<ProxySession>
  /** The caller follows a resource there, or no longer: whoever takes over goes on with it. */
  note(upstream: Upstream, call: BackendCall): Promise<void>
  /** Ends all: others may have them now. */
  leaveAll(): void
}

const follows = 'gateway-follows'
/** The maximum age of a session. */
const followMs = 24 * 3_600_000
const maxFollowed = 1_000

interface Seat {
  readonly upstream: Upstream
  readonly session: Promise<ProxySession>
  usedAt: number
}

/** One that nobody has used for `idleMs` is closed; the next call opens another. */
export function createSeats(
  { messages, values }: Pick<StoreCluster, 'messages' | 'values'>,
  idleMs = 1_800_000,
): Seats {
  const seats = new Map<string, Map<Upstream, Seat>>()
  const listening = onSessionEnded(messages, leave) // a message that is lost does no harm: idle ones are closed in time
  const timer = setInterval(sweep, idleMs / 10)
  timer.unref()

  function leave(sessionId: string): void {
    const left = seats.get(sessionId)
    seats.delete(sessionId)
    for (const seat of left?.values() ?? []) close(seat)
  }

  function close({ session }: Seat): void {
    void session.then((opened) => opened.close()).catch(() => undefined) // whoever opened it was told
  }

  function sweep(): void {
    const oldest = performance.now() - idleMs
    for (const [sessionId, own] of seats) {
      for (const [upstream, seat] of own) {
        if (seat.usedAt > oldest) continue
        own.delete(upstream)
        close(seat)
      }
      if (own.size === 0) seats.delete(sessionId)
    }
  }

  /** The caller, as it is reached outside of calls: by whichever process it listens at. */
  function clientOf(key: string, { caller }: BackendCall): BackendClient {
    return {
      isReady: true,
      logLevel: caller.logLevel ?? 'info',
      transport: {
        notifySession(method, params) {
          void Promise.resolve(notifySession(messages, key, { method, params })).catch(
            () => undefined, // notifications may be lost while the store is unreachable
          )
        },
        requestOutsideCall: (method) =>
          Promise.reject(
            new RpcError('method_not_found', `${method}: this client can be asked in a call only`),
          ),
      },
    }
  }

  async function open(key: string, upstream: Upstream, call: BackendCall): Promise<ProxySession> {
    const { codec, client, auth } = call.caller
    const clientDescription = { clientInfo: client.info, capabilities: client.capabilities }
    const { session } = await upstream.proxy.relay.open({ clientDescription, codec, auth })
    session.attach(clientOf(key, call))
    session.ready()
    for (const uri of await followedBy(key, upstream)) {
      const options = { operation: 'resources/subscribe', params: { uri } }
      try {
        await session.request(new ForwardedCall(call, options))
      } catch {
        // it is not there any more
      }
    }
    return session
  }

  /** Returns the subscriptions that the session's earlier process stored. */
  async function followedBy(key: string, { name }: Upstream): Promise<readonly string[]> {
    return ((await values.get(follows, `${key} ${name}`)) ?? []) as readonly string[] // as `note` writes it
  }

  return {
    at(upstream, call) {
      const { sessionId } = call.caller
      if (sessionId === undefined) throw new TypeError('a caller without a session has no seat')
      const own = seats.get(sessionId) ?? new Map<Upstream, Seat>()
      seats.set(sessionId, own)
      const existing = own.get(upstream)
      if (existing) {
        existing.usedAt = performance.now()
        return existing.session
      }
      const seat = { upstream, session: open(sessionId, upstream, call), usedAt: performance.now() }
      own.set(upstream, seat)
      seat.session.catch(() => {
        if (own.get(upstream) === seat) own.delete(upstream)
      })
      return seat.session
    },
    async note(upstream, { method, params, caller }) {
      const { sessionId = '' } = caller
      const { uri } = params
      const before = await followedBy(sessionId, upstream)
      const others = before.filter((each) => each !== uri)
      const isAdded = method === 'resources/subscribe'
      const next = isAdded && typeof uri === 'string' ? [...others, uri] : others
      await values.set(follows, `${sessionId} ${upstream.name}`, next.slice(-maxFollowed), followMs)
    },
    leaveAll() {
      for (const sessionId of seats.keys()) leave(sessionId)
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      listening[Symbol.dispose]()
      for (const sessionId of seats.keys()) leave(sessionId)
    },
  }
}
