/**
 * The connections of a proxy to its server, and who may use which: one for each session, one for each user, or one for all. A
 * connection nobody uses is closed after a while, and so is an old one.
 *
 * A server with sessions does not say for which call it asks something. So a client that can be asked gets a connection that no
 * other call uses meanwhile (`reserve`). `upstream.ts` is one connection.
 */

import type { ClientIdentity } from '../../client/connection/identity.ts'
import { quotaKeyOf, principalOf, type AuthInfo } from '../../rpc/auth-info.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { Call } from '../../server/calls/call.ts'
import type { Codec, WireFeatures } from '../../wire/codec.ts'
import type { ProxySettings } from './proxy-options.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** The connections to one server, and who may use which. */
export interface UpstreamPool {
  readonly count: number
  /** For a session that begins. Throws `overloaded` if there are too many. */
  forSession(client: ClientIdentity, codec: Codec, auth: AuthInfo | undefined): Upstream
  /** For a request that stands alone, opened. */
  forCall(call: Call, client: ClientIdentity): MaybePromise<Upstream>
  /** The call is over that had it for itself. */
  letGo(upstream: Upstream, call: Call): void
  /** The session that used it is over. */
  release(upstream: Upstream): void
  /** The features of the server's revision, if it has sessions. */
  legacyFeatures(): WireFeatures | undefined
  close(): Promise<void>
}

export function createUpstreamPool(settings: ProxySettings): UpstreamPool {
  const { clock, mode, maxConnections, idleMs, maxMs } = settings
  const pools = new Map<string, Set<Upstream>>()
  const numbers = new WeakMap<object, number>()
  let lastNumber = 0
  /** The connections of single sessions, which no other client uses. */
  const own = new Set<Upstream>()
  const sweepMs = Math.max(50, Math.min(idleMs, maxMs, 30_000) / 2)
  const closing = new Set<Promise<void>>()
  let count = 0
  let timer: Disposable | undefined
  let isClosed = false
  let legacy: WireFeatures | undefined

  function create(client: ClientIdentity, codec: Codec): Upstream {
    if (isClosed) throw new RpcError('overloaded', 'the proxy has been closed')
    if (count >= maxConnections) {
      const why = `more connections to the server than maxConnections (${maxConnections}) allows`
      const data = { limit: 'maxConnections', allowed: maxConnections }
      throw new RpcError('overloaded', why, { data })
    }
    count += 1
    return createUpstream(settings, client, codec)
  }

  function close(upstream: Upstream): void {
    if (upstream.isClosed) return
    const closed = upstream.close().finally(() => {
      count -= 1
      closing.delete(closed)
    })
    closing.add(closed)
  }

  function poolOf(key: string): Set<Upstream> {
    const pool = pools.get(key) ?? new Set()
    pools.set(key, pool)
    timer ??= clock.setTimer(sweep, sweepMs)
    return pool
  }

  /** Closes connections that are unused for long, and old ones. */
  function sweep(): void {
    timer = undefined
    const now = clock.now()
    for (const [key, pool] of pools) {
      for (const upstream of pool) {
        const isOld = now - upstream.openedAt >= maxMs
        if (upstream.isBusy || upstream.reservedFor !== undefined) {
          upstream.usedAt = now
          continue
        }
        if (!isOld && now - upstream.usedAt < idleMs) continue
        pool.delete(upstream)
        close(upstream)
      }
      if (pool.size === 0) pools.delete(key)
    }
    if (pools.size > 0 && !isClosed) timer = clock.setTimer(sweep, sweepMs)
  }

  function keyFor(auth: AuthInfo | undefined): string {
    return mode === 'shared' ? 'shared' : `user ${quotaKeyOf(auth)}`
  }

  /** Returns the key of a client as far as a standalone request identifies it: its capabilities are sent to the server once. */
  function callKey({ caller }: Call, { info, capabilities }: ClientIdentity): string {
    if (mode !== 'per-session') return keyFor(caller.auth)
    const { quotaKey } = caller
    const who = typeof quotaKey === 'object' ? numberOf(quotaKey) : principalOf(caller.auth)
    return JSON.stringify([who, info, capabilities])
  }

  /** A channel is one client. */
  function numberOf(channel: object): number {
    const number = numbers.get(channel) ?? ++lastNumber
    numbers.set(channel, number)
    return number
  }

  function sharedIn(pool: Set<Upstream>, client: ClientIdentity, codec: Codec): Upstream {
    for (const upstream of pool) if (upstream.reservedFor === undefined) return upstream
    return addTo(pool, client, codec)
  }

  function addTo(pool: Set<Upstream>, client: ClientIdentity, codec: Codec): Upstream {
    const upstream = create(client, codec)
    pool.add(upstream)
    return upstream
  }

  /**
   * A server of an older revision says in no way for which call it asks: a client that can be asked gets a connection
   * that no other call uses meanwhile.
   */
  function idleIn(pool: Set<Upstream>, call: Call, client: ClientIdentity): Upstream {
    for (const upstream of pool) {
      if (upstream.calls.size === 0 && upstream.reservedFor === undefined) return upstream
    }
    return addTo(pool, client, call.caller.codec)
  }

  function opened(upstream: Upstream): MaybePromise<Upstream> {
    upstream.usedAt = clock.now()
    const ready = upstream.ready()
    return isPromise(ready) ? ready.then(() => upstream) : upstream
  }

  async function reserve(
    pool: Set<Upstream>,
    call: Call,
    client: ClientIdentity,
  ): Promise<Upstream> {
    const upstream = idleIn(pool, call, client)
    upstream.reservedFor = call
    try {
      const session = await upstream.ready()
      if (session.kind === 'legacy') legacy = session.codec.has
      else upstream.reservedFor = undefined // it says for which call it asks
      return upstream
    } catch (error) {
      upstream.reservedFor = undefined
      throw error
    }
  }

  return {
    get count() {
      return count
    },
    forSession(client, codec, auth) {
      if (mode !== 'per-session') return sharedIn(poolOf(keyFor(auth)), client, codec)
      const upstream = create(client, codec)
      own.add(upstream)
      return upstream
    },
    forCall(call, client) {
      const pool = poolOf(callKey(call, client))
      const { capabilities } = client
      const mayBeRequested =
        capabilities.elicitation ?? capabilities.sampling ?? capabilities.roots ?? undefined
      const isApart =
        mode === 'per-session' &&
        call.method !== 'server/discover' &&
        call.method !== 'subscriptions/listen' &&
        (mayBeRequested !== undefined || call.caller.logLevel !== undefined)
      const upstream = sharedIn(pool, client, call.caller.codec)
      if (upstream.current?.kind === 'legacy') legacy = upstream.current.codec.has
      if (!isApart || upstream.current?.kind === 'modern') return opened(upstream)
      return reserve(pool, call, client)
    },
    letGo(upstream, call) {
      if (upstream.reservedFor === call) upstream.reservedFor = undefined
      upstream.usedAt = clock.now()
    },
    release(upstream) {
      if (own.delete(upstream)) close(upstream)
      else upstream.usedAt = clock.now()
    },
    legacyFeatures: () => legacy,
    async close() {
      isClosed = true
      timer?.[Symbol.dispose]()
      const all = [...own, ...[...pools.values()].flatMap((pool) => [...pool])]
      own.clear()
      pools.clear()
      for (const upstream of all) close(upstream)
      await Promise.all(closing)
    },
  }
}
