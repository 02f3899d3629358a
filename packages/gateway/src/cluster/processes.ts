/**
 * Makes several processes one gateway: finds the process that has what a request needs, forwards the request there, and runs the
 * requests of others here. Places are `places.ts`, the connections between processes `forward-client.ts` and `forward-listener.ts`.
 */

import { setTimeout as sleep } from 'node:timers/promises'

import type { StoreCluster } from '@parley/cluster'
import { RpcError, type JsonObject, type Limits, type OnError } from '@parley/mcp'
import { createRemoteCaller, BackendCall } from '@parley/mcp/internal/relay'
import { type ProxySession } from '@parley/mcp/proxy'

import type { Upstream } from '../upstreams/upstream.ts'
import { createForwardClient, ProcessDisconnected } from './forward-client.ts'
import { startForwardListener, type Done, type ForwardedChannel } from './forward-listener.ts'
import { readAuth, writeAuth, type Forward } from './forward-messages.ts'
import { createForwardCipher } from './forward-seal.ts'
import { createLocations, type OtherProcess } from './places.ts'
import { createSeats } from './seats.ts'

/** How several processes are one gateway. */
export interface GatewayClusterOptions {
  /** The store that they share: `createRedisCluster()`, `createPostgresCluster()` or another of `@parley/cluster`. */
  readonly store: StoreCluster
  /**
   * Where this process takes forwards of the others, `HOST:PORT`. The others must be able to reach it by this name; nobody
   * else has to. @defaultValue '127.0.0.1:0', for processes of one machine
   */
  readonly address?: string | undefined
}

/** A request about something that one process has. */
export interface ToSend {
  readonly call: BackendCall
  readonly upstream: Upstream
  /** The params for the server. */
  readonly params: JsonObject
  /** The process that it has to be done at, where that is known. */
  readonly at?: string | undefined
}

/** This process, and the others that are the same gateway. */
export interface Processes extends AsyncDisposable {
  readonly node: string
  /** Where this process takes forwards. */
  readonly address: string
  /** Exchanges of others that were refused. */
  readonly rejected: number
  /** Does it `here`, or has it done by the process that has the server for this caller. `at` says which that was. */
  send(asked: ToSend, here: () => Promise<Done>): Promise<Done & { readonly at: string }>
  /** The session of a caller with a server, at this process. */
  sessionAt(upstream: Upstream, call: BackendCall): Promise<ProxySession>
  /** The caller follows a resource there, or no longer. */
  noteFollowed(upstream: Upstream, call: BackendCall): Promise<void>
  /** Where a task is, for all processes. Lost while the store is away. */
  rememberOrigin(key: string, origin: JsonObject): void
  originOf(key: string): Promise<JsonObject | undefined>
}

const origins = 'gateway-origin'
const originMs = 24 * 3_600_000

/** Starts to take forwards. `run` does a request of another process at this one. */
export async function startProcesses(
  { store, address = '127.0.0.1:0' }: GatewayClusterOptions,
  {
    upstreams,
    run,
    sessionIdleMs,
    limits,
    onError,
  }: {
    readonly upstreams: ReadonlyMap<string, Upstream>
    run(call: BackendCall, upstream: Upstream, params: JsonObject): Promise<Done>
    readonly sessionIdleMs?: number | undefined
    /** The limits of this process: they hold for forwarded calls too. */
    readonly limits?: Limits | undefined
    readonly onError: OnError
  },
): Promise<Processes> {
  const { node, secrets, heartbeatMs, values } = store
  const encrypt = createForwardCipher(secrets)
  const seats = createSeats(store, sessionIdleMs)
  const locations = createLocations(store, { onError, onDisconnected: () => seats.leaveAll() })
  const leaseMs = 3 * heartbeatMs
  const client = createForwardClient({ node, encrypt, silentMs: leaseMs, onError })
  const listener = await startForwardListener({
    node,
    encrypt,
    ...readAddress(address),
    aliveMs: heartbeatMs,
    run: runHere,
    onError,
  })
  await store.start()
  await locations.start(listener.address)

  async function runHere(forward: Forward, channel: ForwardedChannel): Promise<Done> {
    const { id, operation, params, caller: facts } = forward
    const upstream = upstreams.get(forward.upstream)
    if (upstream === undefined) throw unknownServer(forward.upstream)
    const { auth, server, ...rest } = facts
    const caller = createRemoteCaller(
      { ...rest, auth: auth && readAuth(auth) },
      {
        notify: channel.notify,
        request: channel.ask,
        ...(server !== undefined && { stateSecrets: { server, secrets, used: store.once } }),
        limits,
        onError,
      },
    )
    if (caller === undefined) throw new RpcError('internal_error', 'unsupported protocol version')
    const call = new BackendCall(caller, id, operation, params, noAnswers)
    channel.signal.addEventListener('abort', () => call.abort('disconnect', 'the caller has gone'))
    try {
      return await run(call, upstream, params)
    } finally {
      call.end()
    }
  }

  async function findFor({ call, upstream, at }: ToSend): Promise<OtherProcess | undefined> {
    if (at !== undefined) {
      if (at === node) return undefined
      const found = await locations.locate(at)
      if (found) return found
      throw new RpcError(
        'invalid_params',
        'the process that this call waited at has ended; call again without requestState',
      )
    }
    const key = keyFor(call, upstream)
    return key === undefined ? undefined : locations.find(key)
  }

  async function send(
    request: ToSend,
    here: () => Promise<Done>,
  ): Promise<Done & { readonly at: string }> {
    const { call, upstream, at } = request
    const key = at === undefined ? keyFor(call, upstream) : undefined
    const end = performance.now() + 3 * leaseMs
    for (;;) {
      const other = await findFor(request)
      if (other === undefined) return { ...(await here()), at: node }
      try {
        return { ...(await client.send(other, forwardOf(request), call)), at: other.node }
      } catch (error) {
        if (!(error instanceof ProcessDisconnected)) throw error
        onError(error, { severity: 'warning', operation: upstream.name })
        // A request that was sent may have been handled: it is never repeated.
        if (error.wasSent || key === undefined || performance.now() > end) {
          throw lost(upstream, error)
        }
        locations.forget(key)
        await sleep(heartbeatMs / 2, undefined, { signal: call.signal }) // until it counts as lost
      }
    }
  }

  return {
    node,
    address: listener.address,
    get rejected() {
      return listener.rejected
    },
    send,
    sessionAt: (upstream, call) => seats.at(upstream, call),
    noteFollowed: (upstream, call) => seats.note(upstream, call),
    rememberOrigin(key, origin) {
      values
        .set(origins, key, origin, originMs)
        .catch((error: unknown) => onError(error, { severity: 'warning', operation: 'store' }))
    },
    originOf: async (key) => (await values.get(origins, key)) as JsonObject | undefined, // as it is written above
    async [Symbol.asyncDispose]() {
      await locations[Symbol.asyncDispose]()
      seats[Symbol.dispose]()
      client[Symbol.dispose]()
      await listener[Symbol.asyncDispose]()
    },
  }
}

/**
 * What a process has for this caller and server; undefined for what every process may do. A child that several use is at
 * one process. What a server remembers of a session is in one session with it. A request that stands alone needs neither.
 */
function keyFor({ caller }: BackendCall, { name, server }: Upstream): string | undefined {
  const { mode = 'per-session', protocolVersion } = server
  const isChild = 'command' in server
  if (isChild && mode === 'shared') return JSON.stringify([name])
  if (isChild && mode === 'per-user') {
    return JSON.stringify([name, 'user', caller.auth?.issuer, caller.auth?.subject])
  }
  if (caller.sessionId === undefined || (!isChild && protocolVersion === 'modern')) return undefined
  return JSON.stringify([name, 'session', caller.sessionId])
}

function forwardOf({ call, upstream, params }: ToSend): Forward {
  const { id, method, caller } = call
  const { codec, client, auth, sessionId, logLevel, stateSecrets } = caller
  return {
    upstream: upstream.name,
    id,
    operation: method,
    params,
    caller: {
      revision: codec.revision,
      client,
      auth: auth && writeAuth(auth),
      sessionId,
      logLevel,
      server: stateSecrets?.server,
    },
  }
}

/** Nobody answers it here: what comes of it goes back. */
const noAnswers = {
  reply: () => undefined,
  reject: () => undefined,
  forget: () => undefined,
}

function unknownServer(name: string): RpcError {
  const why = `the process that was asked has no server ${JSON.stringify(name)}: its configuration is another`
  return new RpcError('internal_error', why)
}

function lost({ name }: Upstream, { message, wasSent }: ProcessDisconnected): RpcError {
  const what = wasSent ? 'was lost while it worked on this, which may be done or not' : 'is lost'
  const why = `the process of the gateway that has the server ${JSON.stringify(name)} ${what} (${message})`
  return new RpcError('overloaded', `${why}; another one takes over`)
}

function readAddress(address: string): { readonly host: string; readonly port: number } {
  const [, host = '127.0.0.1', port = ''] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(address) ?? []
  if (port !== '' && Number(port) <= 65_535) return { host, port: Number(port) }
  throw new TypeError(`cluster.address ${JSON.stringify(address)} is invalid: write 10.0.0.5:7100`)
}
