/**
 * Puts together the client that `connect()` returns: its session (`connection/`), its calls (`calls/`), its lists, cache,
 * subscriptions and handlers. Each of them is a file of its own; here they are created and given to each other.
 *
 * The methods of the client are short: operations come from `calls/operations.ts`, and everything else either sends one request or
 * asks one of the parts. A transport is opened by the function that `transport/connect.ts` passes in, once for each connection.
 */

import { systemClock } from '../rpc/clock.ts'
import { McpError } from '../rpc/errors/mcp-error.ts'
import { type OnError, guardedReport } from '../rpc/errors/on-error.ts'
import { resolveLimits } from '../rpc/limits.ts'
import { lazy } from '../rpc/promise.ts'
import type { Transport } from '../rpc/transport.ts'
import { jsonObject } from '../schema/check.ts'
import type { JsonObject } from '../schema/json.ts'
import { discoverResult, emptyResult } from '../schema/lifecycle.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { Operation } from '../schema/methods/client-requests.ts'
import type { Revision } from '../schema/revision.ts'
import type { SubscriptionFilter } from '../schema/subscriptions.ts'
import { supportedRevisions } from '../wire/features.ts'
import { createCacheControl } from './cache/cache-control.ts'
import { createCalls } from './calls/calls.ts'
import { createClientLayers, type ClientMiddleware } from './calls/middleware.ts'
import { createOperations } from './calls/operations.ts'
import type { Client } from './client.ts'
import { peerOf, requireCapability } from './connection/attempt.ts'
import { restoreLogLevel } from './connection/current-session.ts'
import { createIdentity } from './connection/identity.ts'
import { openClientSession, type OpeningContext } from './connection/open-client-session.ts'
import {
  closedError,
  keepConnected,
  type ReconnectingSession,
} from './connection/reconnecting-session.ts'
import { sharedEraMemory } from './connection/revision-cache.ts'
import type { ClientSession } from './connection/session.ts'
import type { TransportLink } from './connection/transport-link.ts'
import { createExtensionHost } from './create-extension-host.ts'
import { capabilitiesFor, type InputHandlers } from './input/input-handlers.ts'
import type { RootsOption } from './input/roots.ts'
import { inputPart, subscriptionsPart } from './lazy-parts.ts'
import type { PagedList } from './list.ts'
import {
  defaultTimeouts,
  type CallOptions,
  type ConnectOptions,
  type Negotiated,
  type ReconnectOptions,
} from './options.ts'
import { createClientSubscriptions } from './subscriptions/client-subscriptions.ts'
import type { WatchedLists, WatchOptions } from './subscriptions/watch-list.ts'
import { createToolDefinitions, createToolHeaders } from './tools/tools.ts'

/** The target of a client, as far as it is known. */
export interface ClientTarget {
  /** The same for the same server, to recall what it spoke; undefined for one that cannot be named. */
  readonly name?: string | undefined
  /** The name of the server in a cache that clients share. */
  readonly cacheName?: string | undefined
  /** Revisions we speak. @defaultValue all */
  readonly revisions?: readonly string[] | undefined
}

/** A client over whatever `openTransport` opens; called again for each reconnect. */
export async function createClient(
  openTransport: (link: TransportLink) => Transport | Promise<Transport>,
  options: ConnectOptions = {},
  target: ClientTarget = {},
): Promise<Client> {
  const { clock = systemClock } = options
  const onError = guardedReport(options.onError ?? printWarning)
  const limits = resolveLimits(options.limits)
  const layers = createClientLayers()
  const identity = createIdentity(options)
  const { capabilities } = identity
  const closed = new AbortController()
  let handlers: InputHandlers = options
  let stored: ReconnectingSession | undefined
  let negotiatedAt = Date.now()

  const toolDefinitions = createToolDefinitions(() => operations.listTools())
  const cache = createCacheControl(options, target.cacheName, toolDefinitions, clock, onError)
  const calls = createCalls({
    stored: connected,
    identity,
    cache,
    extensions: options.extensions ?? [],
    observer: options.observer,
    host: () => host,
    timeouts: options.timeouts,
    maxRounds: limits.rounds,
    isStrict: options.validation?.strict ?? false,
    clock,
    closed: closed.signal,
  })
  const input = lazy(async () => {
    const { createClientInput } = await inputPart.load()
    return createClientInput({
      handlers: () => handlers,
      latest: () => stored?.latest,
      current: () => calls.current,
      options,
      clock,
      closed: closed.signal,
      onError,
    })
  })
  const toolHeaders = createToolHeaders(() => stored?.latest, onError)
  const { methods: operations, checkResult } = createOperations({
    calls,
    input,
    layers,
    toolDefinitions,
    toolHeaders,
    isModern: () => stored?.latest.kind === 'modern',
    options,
    limits,
    onError,
  })
  const host = createExtensionHost({
    clock,
    closed: closed.signal,
    onError,
    session: () => connected().session(),
    calls,
    toolDefinitions,
    checkOutput: async (name, result) => checkResult(name, result),
  })
  const subscriptions = createClientSubscriptions({
    stored: connected,
    envelope: identity.envelope,
    send: plain,
    onChange: cache.onChange,
    options,
    clock,
    onError,
  })
  const opening: OpeningContext = {
    openTransport,
    options,
    identity,
    revisions: target.revisions ?? supportedRevisions,
    clock,
    limits,
    stream: subscriptions.stream,
    input,
    onNotification(notification, connection, codec) {
      host.notify(notification)
      if (codec?.has.elicitationIds) input.loaded?.pendingUrls.onNotification(notification)
      subscriptions.onNotification(notification, connection, codec)
    },
    paramHeaders: (name, args) => toolHeaders.headersOf(toolDefinitions.get(name), args),
    onGap: subscriptions.onGap,
    onError,
  }

  /** Paths are checked now. A function is called for each request instead. */
  async function useRoots(roots: RootsOption): Promise<void> {
    const { toRoots, requireRoots } = await inputPart.load()
    requireRoots(capabilities)
    handlers = { ...handlers, roots: typeof roots === 'function' ? roots : toRoots(roots) }
  }

  function connected(): ReconnectingSession {
    if (stored !== undefined) return stored
    throw new McpError('closed', 'the client is not connected yet', { details: undefined })
  }

  /** The session in use, waited for no longer than the call would be. */
  function sessionFor({ signal, timeouts }: CallOptions): ClientSession | Promise<ClientSession> {
    const idleMs = timeouts?.idleMs ?? options.timeouts?.idleMs ?? defaultTimeouts.idleMs
    const totalMs = timeouts?.totalMs ?? options.timeouts?.totalMs ?? defaultTimeouts.totalMs
    return connected().session({ ms: Math.min(idleMs, totalMs), signal })
  }

  async function plain(
    method: string,
    params: object,
    callOptions: CallOptions = {},
  ): Promise<void> {
    await calls.send(method, params, callOptions, emptyResult, true)
  }

  async function restore(session: ClientSession): Promise<void> {
    cache.onChange({ type: 'gap' })
    await restoreLogLevel(session, identity.level, onError)
  }

  const client = {
    '~host': host,
    get server() {
      return connected().latest.server
    },
    capabilities,
    get negotiated(): Negotiated {
      const { codec, transport } = connected().latest
      return { revision: codec.revision, transport: transport.kind ?? 'custom', at: negotiatedAt }
    },
    get status() {
      return connected().status
    },

    ...operations,

    listen: (filter: SubscriptionFilter, callOptions: CallOptions = {}) =>
      subscriptions.listen(filter, callOptions),
    async *watch(kind: keyof WatchedLists, watchOptions: WatchOptions = {}) {
      const { watchFilters, watchList } = await subscriptionsPart.load()
      const subscription = await client.listen(watchFilters[kind])
      const lists: Record<keyof WatchedLists, () => PagedList<unknown>> = {
        tools: client.listTools,
        prompts: client.listPrompts,
        resources: client.listResources,
        resourceTemplates: client.listResourceTemplates,
      }
      yield* watchList(subscription, lists[kind], clock, watchOptions)
    },

    async setRoots(roots: RootsOption) {
      await useRoots(roots)
      const { kind, connection } = await connected().session()
      if (kind === 'legacy') connection.notify('notifications/roots/list_changed')
    },
    async setLoggingLevel(level: LoggingLevel, callOptions: CallOptions = {}) {
      const used = await sessionFor(callOptions)
      const { kind, codec, server } = used
      if (kind === 'legacy') await plain('logging/setLevel', { level }, callOptions)
      else requireCapability('logging/setLevel', server.capabilities, codec, peerOf(used))
      identity.level = level
    },
    async ping(callOptions: CallOptions = {}) {
      const start = clock.now()
      const { kind } = await sessionFor(callOptions)
      if (kind === 'legacy') await calls.send('ping', undefined, callOptions, emptyResult, true)
      else await calls.send('server/discover', {}, callOptions, discoverResult, true)
      return clock.now() - start
    },
    request: (
      method: string,
      params?: object,
      callOptions: CallOptions = {},
    ): Promise<JsonObject> =>
      calls.send<JsonObject>(method, params, callOptions, jsonObject, false),

    use(first: Operation | ClientMiddleware, second?: ClientMiddleware) {
      if (typeof first === 'string') layers.add(first, second as ClientMiddleware) // given together
      else layers.add(undefined, first)
      return client
    },

    async close() {
      endAll()
      await stored?.close()
    },
    [Symbol.asyncDispose]: () => client.close(),
  }

  function endAll(): void {
    closed.abort(closedError())
    subscriptions.end()
  }

  /** Returns the revision that the server spoke last: in this client, by `previous`, or in this process. */
  function prior(): Revision | undefined {
    if (stored !== undefined) return stored.latest.codec.revision
    if (options.previous !== undefined) return options.previous.revision
    return target.name === undefined ? undefined : sharedEraMemory.recall(target.name)
  }

  /** Only what was found out by asking, and counted from then. */
  function remember(revision: Revision): void {
    const { protocolVersion = 'auto', previous: previousRevision } = options
    if (target.name === undefined || protocolVersion !== 'auto' || previousRevision !== undefined)
      return
    if (sharedEraMemory.recall(target.name) === revision) return
    sharedEraMemory.remember(target.name, revision)
  }

  if (handlers.roots !== undefined) await useRoots(handlers.roots)
  if (mayBeRequested(options)) await input.load() // there before it is needed: networks fail, and others wait
  stored = await keepConnected({
    async open(watch, aborted) {
      const session = await openClientSession(opening, { watch, closed: aborted, prior: prior() })
      negotiatedAt = Date.now()
      if (!session.isMistaken) remember(session.codec.revision)
      return session
    },
    reconnect: reconnectOptions(options.reconnect),
    clock,
    onStatus(status, previous) {
      if (status.state === 'closed') endAll()
      if (status.state === 'reconnecting') subscriptions.interrupt()
      else if (previous.state === 'reconnecting' && status.state !== 'closed')
        subscriptions.catchUp()
      try {
        options.onStatus?.(status, previous)
      } catch (error) {
        onError(error, { severity: 'error' })
      }
    },
    onReconnected: restore,
  })
  return client as unknown as Client // generic methods cannot be written as an object
}

/** There is a handler for input requests, or an extension that may need one. */
function mayBeRequested(options: ConnectOptions): boolean {
  const { extensions = [] } = options
  return extensions.length > 0 || Object.keys(capabilitiesFor(options)).length > 0
}

function reconnectOptions(reconnect: ConnectOptions['reconnect']): ReconnectOptions | undefined {
  if (reconnect === undefined || reconnect === false) return undefined
  return reconnect === true ? {} : reconnect
}

/** Writes to standard error by default, so that mistakes of a server are seen. */
const printWarning: OnError = (error, { severity, operation }) => {
  console.error(`[${severity}]${operation === undefined ? '' : ` ${operation}:`}`, error)
}
