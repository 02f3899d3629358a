import { systemClock } from '../rpc/clock.ts'
import type { OnError } from '../rpc/error-report.ts'
import { guardedReport } from '../rpc/guarded-report.ts'
import { resolveLimits } from '../rpc/limits.ts'
import { McpError } from '../rpc/mcp-error.ts'
import type { Notification } from '../rpc/message.ts'
import { isRpcError } from '../rpc/rpc-error.ts'
import type { Transport } from '../rpc/transport.ts'
import type { ClientCapabilities } from '../schema/capabilities.ts'
import type { Problem } from '../schema/check.ts'
import { isJsonObject, type JsonObject } from '../schema/json.ts'
import { emptyResult } from '../schema/lifecycle.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { Operation } from '../schema/operations.ts'
import { createCalls } from './calls.ts'
import type { Client } from './client.ts'
import { keepConnected, type KeptConnection } from './keep-connected.ts'
import type { List } from './list.ts'
import { createClientLayers, type ClientMiddleware } from './middleware.ts'
import { createNotificationStream } from './notification-stream.ts'
import { changeOf, logOf } from './notifications.ts'
import { openOnce, type OpeningParts } from './opening.ts'
import { createOperations } from './operations.ts'
import type { CallOptions, ConnectOptions, Negotiated, ReconnectOptions } from './options.ts'
import { capabilitiesFor, type QuestionHandlers } from './questions.ts'
import { toRoots } from './roots.ts'
import type { ClientSession } from './session.ts'
import { createSubscriptions } from './subscriptions.ts'
import { createKnownTools } from './tools.ts'
import type { TransportLink } from './transport-link.ts'
import { watchFilters, watchList, type WatchedLists, type WatchOptions } from './watch.ts'

/** A client over whatever `openTransport` opens; called again for each reconnect. */
export async function createClient(
  openTransport: (link: TransportLink) => Transport | Promise<Transport>,
  options: ConnectOptions = {},
): Promise<Client> {
  const { clock = systemClock } = options
  const onError = guardedReport(options.onError ?? printWarning)
  const layers = createClientLayers()
  const capabilities: ClientCapabilities = {
    ...capabilitiesFor(options),
    ...(options.experimental && { experimental: options.experimental }),
  }
  let handlers: QuestionHandlers = options
  if (Array.isArray(options.roots)) handlers = { ...handlers, roots: toRoots(options.roots) }
  let kept: KeptConnection | undefined
  let level: LoggingLevel | undefined
  let negotiatedAt = Date.now()

  const calls = createCalls(connected, options.timeouts)
  const knownTools = createKnownTools(() => operations.listTools())
  const operations = createOperations({ calls, layers, knownTools, options, onError })
  const { elicit, sample, roots: givenRoots, onLog } = options
  const hasListeners = [elicit, sample, givenRoots, onLog].some((handler) => handler !== undefined)
  const stream = createNotificationStream(clock, hasListeners)
  const subscriptions = createSubscriptions({
    subscribe: (uri) => plain('resources/subscribe', { uri }),
    unsubscribe: (uri) => plain('resources/unsubscribe', { uri }),
    onError: (error) => onError(error, { severity: 'warning' }),
    onListeners: stream.setListeners,
  })
  const opening: OpeningParts = {
    openTransport,
    options,
    capabilities,
    clock,
    limits: resolveLimits(options.limits),
    stream,
    handlers: () => handlers,
    about: () => ({ server: kept?.latest.server.info, ...calls.current }),
    onNotification,
    onGap() {
      knownTools.forget()
      void catchUp()
    },
    onError,
  }

  /** After a gap, first what listens, then what is told: nothing falls between. */
  async function catchUp(): Promise<void> {
    await stream.opened()
    await subscriptions.restore()
  }

  function connected(): KeptConnection {
    if (kept !== undefined) return kept
    throw new McpError('closed', 'the client is not connected yet', { details: undefined })
  }

  function onNotification(notification: Notification): void {
    const change = changeOf(notification)
    if (change !== undefined) {
      if (change.type === 'tools') knownTools.forget()
      return subscriptions.publish(change)
    }
    const message = logOf(notification)
    if (message === undefined) return
    kept?.latest.connection.touch()
    options.onLog?.(message)
  }

  async function plain(
    method: string,
    params: object,
    callOptions: CallOptions = {},
  ): Promise<void> {
    await calls.send(method, params, callOptions, emptyResult, true)
  }

  async function restore({ connection, server }: ClientSession): Promise<void> {
    knownTools.forget()
    if (level === undefined || !server.capabilities.logging) return
    try {
      await connection.request('logging/setLevel', { level }, { idleMs: 30_000, totalMs: 30_000 })
    } catch (error) {
      if (!isRpcError(error)) throw error
      onError(error, { severity: 'warning', operation: 'logging/setLevel' }) // a session without it is still one
    }
  }

  const client = {
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

    async listen(filter: Parameters<Client['listen']>[0]) {
      const { server } = await connected().session()
      const subscription = await subscriptions.open(filter, server.capabilities)
      await stream.opened()
      return subscription
    },
    async *watch(kind: keyof WatchedLists, watchOptions: WatchOptions = {}) {
      const subscription = await client.listen(watchFilters[kind])
      const lists: Record<keyof WatchedLists, () => List<unknown>> = {
        tools: client.listTools,
        prompts: client.listPrompts,
        resources: client.listResources,
        resourceTemplates: client.listResourceTemplates,
      }
      yield* watchList(subscription, lists[kind], clock, watchOptions)
    },

    async setRoots(roots: Parameters<Client['setRoots']>[0]) {
      if (capabilities.roots === undefined) {
        throw new McpError('unsupported', 'this client was connected without roots', {
          details: { capability: 'roots' },
          hint: 'Pass roots: [] to connect() if there are none yet.',
        })
      }
      handlers = { ...handlers, roots: toRoots(roots) }
      const { connection } = await connected().session()
      connection.notify('notifications/roots/list_changed')
    },
    async setLoggingLevel(wanted: LoggingLevel, callOptions: CallOptions = {}) {
      await plain('logging/setLevel', { level: wanted }, callOptions)
      level = wanted
    },
    async ping(callOptions: CallOptions = {}) {
      const start = clock.now()
      await calls.send('ping', undefined, callOptions, emptyResult, true)
      return clock.now() - start
    },
    request: (
      method: string,
      params?: object,
      callOptions: CallOptions = {},
    ): Promise<JsonObject> => calls.send<JsonObject>(method, params, callOptions, anyObject, false),

    use(first: Operation | ClientMiddleware, second?: ClientMiddleware) {
      if (typeof first === 'string') layers.add(first, second as ClientMiddleware) // given together
      else layers.add(undefined, first)
      return client
    },

    async close() {
      subscriptions.end()
      await kept?.close()
    },
    [Symbol.asyncDispose]: () => client.close(),
  }

  kept = await keepConnected({
    async open(watch, closed) {
      const session = await openOnce(opening, watch, closed)
      negotiatedAt = Date.now()
      return session
    },
    reconnect: reconnectOptions(options.reconnect),
    clock,
    onStatus(status, previous) {
      if (status.state === 'closed') subscriptions.end()
      if (status.state === 'reconnecting') subscriptions.interrupt()
      else if (previous.state === 'reconnecting' && status.state !== 'closed') void catchUp()
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

function reconnectOptions(reconnect: ConnectOptions['reconnect']): ReconnectOptions | undefined {
  if (reconnect === undefined || reconnect === false) return undefined
  return reconnect === true ? {} : reconnect
}

const anyObject = (value: unknown): Problem | undefined =>
  isJsonObject(value) ? undefined : { path: [], expected: 'an object' }

/** Standard error by default; what a server does wrong should be seen once by somebody. */
const printWarning: OnError = (error, { severity, operation }) => {
  console.error(`[${severity}]${operation === undefined ? '' : ` ${operation}:`}`, error)
}
