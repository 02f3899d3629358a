/**
 * Serves many servers as one: makes the core, the checks, sign-in and pages of a configuration, listens, and reloads the
 * configuration when it changes. Resolves when it listens; it does not wait for the servers behind it.
 */

import { createMemoryTokenStore } from '@parley/auth/client'
import type { OnError, RequestObserver } from '@parley/mcp'
import { createBackendServer } from '@parley/mcp/internal/relay'
import { serveHttp } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'
import { waitAtMost } from '@parley/mcp/signals'
import { serveStdio } from '@parley/mcp/stdio'

import type { Processes } from '../cluster/processes.ts'
import { createAccess } from '../identity/access.ts'
import { readListenerTls, renewTls } from '../identity/listener-tls.ts'
import { createSignIns, type SignIns } from '../identity/sign-ins.ts'
import { profileName, serverName } from '../naming/names.ts'
import { namingStrategies } from '../naming/naming.ts'
import type { GatewayServer } from '../upstreams/server-options.ts'
import { listNames } from '../upstreams/upstream-lists.ts'
import { createUpstream, type Upstream, type UpstreamEvents } from '../upstreams/upstream.ts'
import { UsageError } from '../usage-error.ts'
import type { RunningCore } from './core.ts'
import { createCores, type AllRules } from './cores.ts'
import { exchange, type GatewayDifference } from './exchange.ts'
import type { Gateway, GatewayOptions, ReloadOptions } from './gateway.ts'
import { keepInsides, type ServerAction } from './insides.ts'
import { sendHere } from './pass-on.ts'
import { createGatewayBackend } from './relay.ts'
import { statusOf } from './status.ts'

/** Serves many servers as one. Resolves when it listens, and waits for none of them. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { servers, firstListMs = 1_000 } = options
  checkOptions(options)
  checkListening(options)
  const onError: OnError = options.onError ?? printError
  const upstreams = new Map<string, Upstream>()
  const onWarning =
    options.onWarning ??
    ((text: string) => onError(new Error(text), { severity: 'warning', operation: 'lists' }))
  const info = options.info ?? { name: 'parley-gateway', version: '0.1.0' }
  const tokens = options.tokens ?? options.cluster?.store.grants ?? createMemoryTokenStore()
  const { to = 'http', tls } = options
  let client = options.signInClient
  const access = createAccess(options)
  const { guard } = access
  const signIns =
    to === 'http'
      ? createSignIns({
          store: tokens,
          guard: () => guard.current,
          client: () => client,
          server: (name) => upstreams.get(name)?.server,
          onSignedIn: (name, account) => upstreams.get(name)?.callers?.signedIn(account),
          cluster: options.cluster?.store,
          onError,
        })
      : undefined
  const events: UpstreamEvents = {
    onError,
    onStderr: options.onStderr,
    onState(name, state) {
      options.onState?.(name, state)
      cores.announce({ type: 'status' })
      // Its lists for callers could not be requested before.
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
  const cores = createCores(rules, upstreams, { info, onError, signIns, onWarning })
  const started = Promise.all([...upstreams.values()].map((each) => each.started)).then(
    () => undefined,
  )
  const settling = waitAtMost(firstListMs, started).then(() => {
    cores.resolve(undefined)
  })
  cores.resolve(settling)

  const leaving = new Set<Promise<void>>()
  /** Servers that somebody has stopped by hand. */
  const stopped = new Set<string>()

  function reload(next: ReloadOptions): GatewayDifference {
    checkOptions(next)
    const enforce = access.prepare(next)
    const wanted = Object.entries(next.servers).map(([name, server]): [string, GatewayServer] => [
      name,
      stopped.has(name) ? { ...server, isDisabled: true } : server,
    ])
    const { kept, gone, difference } = exchange(upstreams, Object.fromEntries(wanted), create)
    upstreams.clear()
    for (const [name, upstream] of kept) upstreams.set(name, upstream)
    for (const name of stopped) if (!upstreams.has(name)) stopped.delete(name)
    rules = rulesOf(next)
    if ('signInClient' in next) client = next.signInClient
    enforce()
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
    signIns?.close()
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
        limits: options.limits,
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
  return createBackendServer({ ...info, name }, createGatewayBackend(core), onError, observer)
}

async function serve(
  server: Server,
  profiles: readonly (readonly [name: string, server: Server])[],
  options: GatewayOptions,
  signIns: SignIns | undefined,
) {
  const { onError, path = '/mcp' } = options
  if (options.to === 'stdio') {
    const service = serveStdio(server, {
      ...options.stdio,
      limits: options.limits,
      ownsProcess: false,
      onError,
    })
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
    trustedProxies: options.trustedProxies,
    metrics: options.metrics,
    limits: options.limits,
    routes: signIns && ((request) => signIns.route(request)),
    sessionIdleMs: options.sessionTimeoutMs,
    // A call of a client that vanished must not keep its session, and so its child, for longer than a session is kept.
    detachedMs: Math.max(1, Math.min(300_000, options.sessionTimeoutMs ?? Infinity)),
    ownsProcess: false,
    onError,
  })
  return { service, url: service.url }
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

const printError: OnError = (error, { severity, operation }) => {
  console.error(`[${severity}]${operation === undefined ? '' : ` ${operation}:`}`, error)
}
