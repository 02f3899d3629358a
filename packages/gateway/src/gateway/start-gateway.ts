import type { Readable, Writable } from 'node:stream'

import { memoryStore, type TokenStore } from '@parley/auth/client'
import type { Implementation, OnError, RequestObserver } from '@parley/mcp'
import type { Guard } from '@parley/mcp/http'
import { serveHttp } from '@parley/mcp/node'
import { createRelayedServer } from '@parley/mcp/proxy'
import type { Server } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'

import type { Check } from '../checks/check.ts'
import type { GatewayClusterOptions, Processes } from '../cluster/processes.ts'
import type { ProofClient } from '../identity/browser-proof.ts'
import { certificateGuard } from '../identity/certificate-guard.ts'
import { readListenerTls, renewTls, type ListenerTls } from '../identity/listener-tls.ts'
import { createSignIns, type SignIns } from '../identity/sign-ins.ts'
import { namingStrategies, type NamingStrategy } from '../naming/naming.ts'
import type { SearchSettings } from '../search/search-settings.ts'
import type { BackOffLimits } from '../upstreams/back-off.ts'
import type { GatewayServer } from '../upstreams/server-options.ts'
import { listNames } from '../upstreams/upstream-lists.ts'
import type { UpstreamState } from '../upstreams/upstream-state.ts'
import { createUpstream, type Upstream, type UpstreamEvents } from '../upstreams/upstream.ts'
import { UsageError } from '../usage-error.ts'
import type { RunningCore } from './core.ts'
import { createCores, type AllRules, type GatewayProfiles } from './cores.ts'
import { exchange, type GatewayDifference } from './exchange.ts'
import { keepInsides, type ServerAction } from './insides.ts'
import { sendHere } from './pass-on.ts'
import { createGatewayRelay } from './relay.ts'
import { statusOf, type StatusShown } from './status.ts'

/** Many servers, behind one endpoint. */
export interface GatewayOptions {
  /** By name. The order counts where two have the same resource, and with `naming: 'priority'`. */
  readonly servers: { readonly [name: string]: GatewayServer }
  /** How clients call what the servers offer. @defaultValue 'prefix' */
  readonly naming?: NamingStrategy | undefined
  /** Whether clients get a search instead of all tools. @defaultValue never */
  readonly search?: SearchSettings | undefined
  /** What is done to requests on their way, in this order. @defaultValue none */
  readonly checks?: readonly Check[] | undefined
  /**
   * What the resource `gateway://status` tells a caller: of the servers that it may use something of, of all, or of all if
   * the function says so of this caller. @defaultValue 'own'
   */
  readonly status?: StatusShown | undefined
  /** @defaultValue { name: 'parley-gateway', version: '0.1.0' } */
  readonly info?: Implementation | undefined
  /** Over HTTP, or by whoever starts this process. @defaultValue 'http' */
  readonly to?: 'http' | 'stdio' | undefined
  /** @defaultValue 3000; 0 picks a free one */
  readonly port?: number | undefined
  /** Without `auth` it must be loopback. @defaultValue '127.0.0.1' */
  readonly host?: string | undefined
  /** @defaultValue '/mcp' */
  readonly path?: string | undefined
  /** Parts of it, each at its name below `path`, such as `/mcp/dev`. Over HTTP only. @defaultValue none */
  readonly profiles?: GatewayProfiles | undefined
  /** Serve HTTP+SSE of 2024-11-05 too, at `sse` below each path. @defaultValue false */
  readonly alsoSse?: boolean | undefined
  /** Accept WebSockets at `path` too. @defaultValue false */
  readonly alsoWebSocket?: boolean | undefined
  /** The public address, for any other host than loopback. */
  readonly url?: string | undefined
  /** Who may call: `protect()` or `apiKeys()` of `@parley/auth/resource`. @defaultValue everybody, on loopback alone */
  readonly auth?: Guard | undefined
  /** Where tokens of callers for servers are kept. @defaultValue in the memory of this process */
  readonly tokens?: TokenStore | undefined
  /** Who the gateway is at the issuer of its callers, when they sign in to servers in a browser. @defaultValue it registers itself */
  readonly signInClient?: ProofClient | undefined
  /** Serve HTTPS, and let callers in by their certificates. The files are read again when they are written. @defaultValue HTTP */
  readonly tls?: ListenerTls | undefined
  /** Origins of pages that may call. @defaultValue loopback */
  readonly origins?: readonly string[] | undefined
  /** Several processes as one gateway, over HTTP. @defaultValue this process alone */
  readonly cluster?: GatewayClusterOptions | undefined
  /** A session that nobody uses ends after this long. @defaultValue 1_800_000 */
  readonly sessionTimeoutMs?: number | undefined
  /**
   * How long a list may wait for servers that have just been started with the gateway; later ones are told of by
   * `list_changed`. @defaultValue 1_000
   */
  readonly firstListMs?: number | undefined
  /** Between attempts to reach a server again. @defaultValue 500 to 60_000 ms, with jitter */
  readonly backOff?: BackOffLimits | undefined
  /** Hears of each change of a server's state. */
  readonly onState?: ((server: string, state: UpstreamState) => void) | undefined
  /** Watches every request of callers, and what is sent to servers for it, for telemetry. */
  readonly observer?: RequestObserver | undefined
  /** Hears each line that a child writes to its standard error. */
  readonly onStderr?: ((server: string, line: string) => void) | undefined
  /** Hears of every failure that no caller is told in full. @defaultValue prints to standard error */
  readonly onError?: OnError | undefined
  /** For `to: 'stdio'`. @defaultValue this process's own, which then ends with its stdin */
  readonly stdio?: { readonly input: Readable; readonly output: Writable } | undefined
}

/** What can be changed while a gateway runs. */
export type ReloadOptions = Pick<
  GatewayOptions,
  'servers' | 'naming' | 'checks' | 'search' | 'profiles' | 'status'
>

/** A gateway that runs. Disposing closes it. */
export interface Gateway extends AsyncDisposable {
  /** Where it listens; undefined over stdio. */
  readonly url: URL | undefined
  /** Settles when nothing is served any more. */
  readonly closed: Promise<void>
  /** How all servers are, what they offer, and warnings: what `gateway://status` says to those who may see everything. */
  status(): { readonly [key: string]: unknown }
  /** Resolves when every server has answered, or failed to, for the first time. */
  readonly started: Promise<void>
  /**
   * Takes over another configuration while it runs: only servers that are new or different are started, and those that
   * are no longer there end when their calls have. Throws `UsageError`, and then nothing has changed.
   */
  reload(options: ReloadOptions): GatewayDifference
  /** Lets calls finish for up to `deadlineMs`, then ends everything, children included. */
  close(options?: { readonly deadlineMs?: number | undefined }): Promise<void>
}

/** Serves many servers as one. Resolves when it listens, and waits for none of them. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { servers, firstListMs = 1_000 } = options
  checkOptions(options)
  checkListening(options)
  const onError: OnError = options.onError ?? printError
  const upstreams = new Map<string, Upstream>()
  const info = options.info ?? { name: 'parley-gateway', version: '0.1.0' }
  const tokens = options.tokens ?? options.cluster?.store.grants ?? memoryStore()
  const { signInClient: client, to = 'http', tls } = options
  const guard = tls?.clientCa === undefined ? options.auth : certificateGuard(options.auth)
  const signIns =
    to === 'http' ? createSignIns({ store: tokens, guard, client, onError }) : undefined
  const events: UpstreamEvents = {
    onError,
    onStderr: options.onStderr,
    onState(name, state) {
      options.onState?.(name, state)
      cores.announce({ type: 'status' })
      // What it offers its callers could not be asked for before.
      if (state.state === 'ready' && upstreams.get(name)?.callers)
        cores.listsChanged(name, listNames)
    },
    onLists: (name, changed) => cores.listsChanged(name, changed),
    onCallerLists(_, account) {
      for (const type of ['tools', 'prompts', 'resources'] as const) {
        cores.announce({ type, account })
      }
    },
    observer: options.observer,
    tokens,
  }
  const create = (name: string, server: GatewayServer): Upstream =>
    createUpstream(name, server, events, options.backOff)
  for (const [name, server] of Object.entries(servers)) upstreams.set(name, create(name, server))
  let rules = rulesOf(options)
  const cores = createCores(rules, upstreams, { info, onError, signIns })
  const started = Promise.all([...upstreams.values()].map((each) => each.started)).then(
    () => undefined,
  )
  const settling = Promise.race([started, elapsed(firstListMs)]).then(() => {
    cores.settle(undefined)
  })
  cores.settle(settling)

  const leaving = new Set<Promise<void>>()
  /** Servers that somebody has stopped by hand. */
  const stopped = new Set<string>()

  function reload(next: ReloadOptions): GatewayDifference {
    checkOptions(next)
    const wanted = Object.entries(next.servers).map(([name, server]): [string, GatewayServer] => [
      name,
      stopped.has(name) ? { ...server, isDisabled: true } : server,
    ])
    const { kept, gone, difference } = exchange(upstreams, Object.fromEntries(wanted), create)
    upstreams.clear()
    for (const [name, upstream] of kept) upstreams.set(name, upstream)
    for (const name of stopped) if (!upstreams.has(name)) stopped.delete(name)
    rules = rulesOf(next)
    cores.apply(rules)
    for (const upstream of gone) leave(upstream, 10_000)
    return difference
  }

  function leave(upstream: Upstream, deadlineMs: number): void {
    const left = upstream.close(deadlineMs).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  function act(name: string, action: ServerAction, deadlineMs: number): void {
    const before = upstreams.get(name)
    if (before === undefined) throw new UsageError(`there is no server ${JSON.stringify(name)}`)
    if (action === 'stop') stopped.add(name)
    else stopped.delete(name)
    const { isDisabled: _, ...server } = before.server
    upstreams.set(name, create(name, action === 'stop' ? { ...server, isDisabled: true } : server))
    cores.apply(rules)
    cores.announce({ type: 'status' })
    leave(before, deadlineMs)
  }

  let processes: Processes | undefined

  async function closeUpstreams(): Promise<void> {
    cores.leave()
    await processes?.[Symbol.asyncDispose]()
    await Promise.all([...upstreams.values()].map((each) => each.close()))
    await Promise.all(leaving)
    await options.cluster?.store.close()
  }

  try {
    if (options.cluster) {
      const { startProcesses } = await import('../cluster/processes.ts')
      processes = await startProcesses(options.cluster, {
        upstreams,
        run: (call, upstream, params) => sendHere(cores.whole, call, upstream, params),
        sessionIdleMs: options.sessionTimeoutMs,
        onError,
      })
      const { budgets, values, messages } = options.cluster.store
      cores.join(processes, { budgets, values, messages, onError })
    }
    const server = serverOf(cores.whole, '', options.observer)
    const others = [...cores.byProfile].map(
      ([name, core]) => [name, serverOf(core, name, options.observer)] as const,
    )
    const { service, url } = await serve(
      server,
      others,
      { ...options, auth: guard, onError },
      signIns,
    )
    if (url !== undefined) signIns?.listensAt(new URL(options.url ?? url))
    const closed = service.closed.then(closeUpstreams)
    const replaceTls = 'replaceTls' in service ? service.replaceTls : undefined
    const renewing = tls && replaceTls && renewTls(tls, replaceTls, onError)
    void closed.finally(() => renewing?.[Symbol.dispose]())
    const close = async ({ deadlineMs }: { readonly deadlineMs?: number | undefined } = {}) => {
      await service.drain({ deadlineMs })
      await closed
    }
    const gateway: Gateway = {
      url,
      closed,
      started,
      status: () => statusOf(cores.whole),
      reload,
      close,
      [Symbol.asyncDispose]: () => close(),
    }
    const servesOver = options.to ?? 'http'
    keepInsides(gateway, { cores, servesOver, startedAt: Date.now(), act })
    return gateway
  } catch (error) {
    await closeUpstreams()
    throw error
  }
}

function rulesOf({
  naming = 'prefix',
  checks = [],
  profiles = {},
  search,
  status: statusShown = 'own',
}: ReloadOptions): AllRules {
  return { naming, checks, profiles, search, statusShown }
}

/** Sessions and states of one profile are nothing to another: they are bound to the name. */
function serverOf(core: RunningCore, profile: string, observer?: RequestObserver): Server {
  const { info, onError } = core
  const name = profile === '' ? info.name : `${info.name}/${profile}`
  return createRelayedServer({ ...info, name }, createGatewayRelay(core), onError, observer)
}

async function serve(
  server: Server,
  profiles: readonly (readonly [name: string, server: Server])[],
  options: GatewayOptions,
  signIns: SignIns | undefined,
) {
  const { onError, path = '/mcp' } = options
  if (options.to === 'stdio') {
    const service = serveStdio(server, { ...options.stdio, ownProcess: false, onError })
    return { service, url: undefined }
  }
  const service = await serveHttp(server, {
    port: options.port ?? 3000,
    host: options.host ?? '127.0.0.1',
    path,
    others: Object.fromEntries(
      profiles.map(([name, each]) => [`${path.replace(/\/$/, '')}/${name}`, each]),
    ),
    legacySse: options.alsoSse,
    websocket: options.alsoWebSocket,
    url: options.url,
    auth: options.auth,
    // It is needed until the last call of another process has ended.
    cluster: options.cluster && { ...options.cluster.store, close: async () => undefined },
    tls: options.tls && readListenerTls(options.tls),
    allowedOrigins: options.origins,
    routes: signIns && ((request) => signIns.route(request)),
    sessionIdleMs: options.sessionTimeoutMs,
    // A call of a client that vanished must not keep its session, and so its child, for longer than a session is kept.
    detachedMs: Math.max(1, Math.min(300_000, options.sessionTimeoutMs ?? Infinity)),
    ownProcess: false,
    onError,
  })
  return { service, url: service.url }
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}

function checkListening({ to, cluster }: GatewayOptions): void {
  if (to !== 'stdio' || cluster === undefined) return
  throw new UsageError('a gateway over stdio is one process: remove cluster, or listen over HTTP')
}

function checkOptions({ servers, naming = 'prefix', profiles = {} }: ReloadOptions): void {
  const unnameable = Object.keys(profiles).find((name) => !profileName.test(name))
  if (unnameable !== undefined) {
    throw new UsageError(
      `the profile ${JSON.stringify(unnameable)} cannot be part of a path: use letters, digits, - and _, at most 64, and not sse or message`,
    )
  }
  if (!namingStrategies.includes(naming)) {
    throw new UsageError(
      `naming ${JSON.stringify(naming)} is unknown: use ${namingStrategies.join(', ')}`,
    )
  }
  for (const name of Object.keys(servers)) {
    if (serverName.test(name)) continue
    throw new UsageError(
      `the server name ${JSON.stringify(name)} cannot be part of a tool's name: use letters, digits, - and single _, at most 32`,
    )
  }
}

/** It is the end of a path; two names belong to HTTP+SSE. */
export const profileName = /^(?!(?:sse|message)$)[A-Za-z0-9_-]{1,64}$/

/** It is the beginning of names that models call. */
export const serverName = /^(?!.*__)[A-Za-z0-9][A-Za-z0-9_-]{0,31}(?<!_)$/

const printError: OnError = (error, { severity, operation }) => {
  console.error(`[${severity}]${operation === undefined ? '' : ` ${operation}:`}`, error)
}
