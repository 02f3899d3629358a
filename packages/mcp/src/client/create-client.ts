import { systemClock } from '../rpc/clock.ts'
import type { OnError } from '../rpc/error-report.ts'
import { guardedReport } from '../rpc/guarded-report.ts'
import { resolveLimits } from '../rpc/limits.ts'
import { McpError } from '../rpc/mcp-error.ts'
import type { Notification } from '../rpc/message.ts'
import { isRpcError } from '../rpc/rpc-error.ts'
import type { Transport } from '../rpc/transport.ts'
import { cancelledParams } from '../schema/cancellation.ts'
import type { ClientCapabilities } from '../schema/capabilities.ts'
import type { Problem } from '../schema/check.ts'
import { completeResult } from '../schema/completion.ts'
import { isJsonObject, type JsonObject } from '../schema/json.ts'
import { emptyResult } from '../schema/lifecycle.ts'
import { loggingMessageParams, type LoggingLevel, type LogMessage } from '../schema/logging.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Operation, Operations } from '../schema/operations.ts'
import { getPromptResult, listPromptsResult } from '../schema/prompts.ts'
import {
  listResourcesResult,
  listResourceTemplatesResult,
  readResourceResult,
  resourceUpdatedParams,
} from '../schema/resources.ts'
import type { Revision } from '../schema/revision.ts'
import { callToolResult, listToolsResult } from '../schema/tools.ts'
import { keepAlive } from '../session/heartbeat.ts'
import type { Codec } from '../wire/codec.ts'
import { spokenRevisions } from '../wire/revisions.ts'
import { createCalls } from './calls.ts'
import type { Change } from './changes.ts'
import type { Client } from './client.ts'
import { keepConnected, type KeptConnection, type SessionWatch } from './keep-connected.ts'
import { createList, type List } from './list.ts'
import { createClientLayers, type ClientMiddleware } from './middleware.ts'
import {
  defaultTimeouts,
  type CallOptions,
  type ConnectOptions,
  type Negotiated,
  type ReconnectOptions,
  type ToolCallOptions,
} from './options.ts'
import { capabilitiesFor, createQuestions, type QuestionHandlers } from './questions.ts'
import { toRoots } from './roots.ts'
import { openSession, type ClientSession } from './session.ts'
import { createSubscriptions } from './subscriptions.ts'
import { checkOutput, createKnownTools } from './tools.ts'
import type { TransportLink } from './transport-link.ts'
import { watchFilters, watchList, type WatchedLists, type WatchOptions } from './watch.ts'

/** Who we say we are when nobody says otherwise. */
const ourselves: Implementation = { name: '@parley/mcp', version: '0.1.0' }

/** A client over whatever `openTransport` opens; called again for each reconnect. */
export async function createClient(
  openTransport: (link: TransportLink) => Transport | Promise<Transport>,
  options: ConnectOptions = {},
): Promise<Client> {
  const { clock = systemClock } = options
  const onError = guardedReport(options.onError ?? printWarning)
  const limits = resolveLimits(options.limits)
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
  let listeners = 0
  let openStream: (() => Promise<void> | void) | undefined

  const calls = createCalls(connected, options.timeouts)
  const knownTools = createKnownTools(() => client.listTools())
  const subscriptions = createSubscriptions({
    subscribe: (uri) => plain('resources/subscribe', { uri }),
    unsubscribe: (uri) => plain('resources/unsubscribe', { uri }),
    onError: (error) => onError(error, { severity: 'warning' }),
    onListeners(count) {
      listeners = count
      void openStream?.()
    },
  })

  /** What a server says unasked has to come from somewhere; not every channel brings it by itself. */
  function needsStream(): boolean {
    const { elicit, sample, roots, onLog } = options
    return listeners > 0 || [elicit, sample, roots, onLog].some((handler) => handler !== undefined)
  }

  /** Resolves when the stream is open, known not to come, or slow: then it is not waited for. */
  async function streamOpened(): Promise<void> {
    const opening = openStream?.()
    if (opening === undefined) return
    let timer: Disposable | undefined
    const late = new Promise<void>((resolve) => {
      timer = clock.setTimer(resolve, streamPatienceMs)
    })
    await Promise.race([opening, late])
    timer?.[Symbol.dispose]()
  }

  /** After a gap, first what listens, then what is told: nothing falls between. */
  async function catchUp(): Promise<void> {
    await streamOpened()
    await subscriptions.restore()
  }

  function connected(): KeptConnection {
    if (kept !== undefined) return kept
    throw new McpError('closed', 'the client is not connected yet', { details: undefined })
  }

  async function open(watch: SessionWatch, closed: AbortSignal): Promise<ClientSession> {
    let codec: Codec | undefined
    let heartbeat: Disposable | undefined
    openStream = undefined
    const transport = await openTransport({
      needsStream,
      onNeed: (listener) => (openStream = listener),
      onHealth: (health) => watch.onHealth(health),
      onGap() {
        knownTools.forget()
        void catchUp()
      },
    })
    const questions = createQuestions({
      codec: () => codec,
      handlers: () => handlers,
      about: () => ({ server: kept?.latest.server.info, ...calls.current }),
      inputMs: options.timeouts?.inputMs ?? defaultTimeouts.inputMs,
      clock,
      compileSchema: options.compileSchema,
      onError,
    })
    const session: ClientSession = await openSession(transport, {
      info: options.info ?? ourselves,
      capabilities,
      revisions: revisionsOf(options.era),
      connectMs: options.timeouts?.connectMs ?? defaultTimeouts.connectMs,
      signal: options.signal ? AbortSignal.any([options.signal, closed]) : closed,
      clock,
      limits,
      onError,
      onMessage: options.onMessage,
      onRequest: questions.onRequest,
      onNotification: (notification) => {
        if (notification.method !== 'notifications/cancelled') return onNotification(notification)
        const { requestId, reason } = notification.params
        if (cancelledParams(notification.params) === undefined) {
          questions.cancel(requestId as string | number, reason as string | undefined) // just checked
        }
      },
      onEnd(error) {
        heartbeat?.[Symbol.dispose]()
        questions.abortAll(error)
        watch.onLost(error)
      },
      onCodec: (agreed) => (codec = agreed),
    })
    negotiatedAt = Date.now()
    if (options.heartbeat) {
      heartbeat = keepAlive(session.connection, clock, options.heartbeat, onError)
    }
    return session
  }

  function onNotification({ method, params }: Notification): void {
    const change = changeOf(method, params)
    if (change !== undefined) {
      if (change.type === 'tools') knownTools.forget()
      return subscriptions.publish(change)
    }
    if (method !== 'notifications/message' || loggingMessageParams(params) !== undefined) return
    kept?.latest.connection.touch()
    options.onLog?.(params as unknown as LogMessage) // just checked
  }

  /** Wrapped by middleware, then sent. */
  async function operate<O extends Operation>(
    operation: O,
    params: object,
    callOptions: CallOptions,
    check: (value: unknown) => Problem | undefined,
    isRepeatable = true,
  ): Promise<Operations[O]['result']> {
    const result = await layers.run(operation, params, callOptions, (current) =>
      calls.send(operation, current, callOptions, check, isRepeatable),
    )
    return result as Operations[O]['result'] // checked, or made by the user's own middleware
  }

  async function plain(
    method: string,
    params: object,
    callOptions: CallOptions = {},
  ): Promise<void> {
    await calls.send(method, params, callOptions, emptyResult, true)
  }

  function list<O extends Operation, Item>(
    operation: O,
    check: (value: unknown) => Problem | undefined,
    itemsOf: (result: Operations[O]['result']) => readonly Item[],
    callOptions: CallOptions = {},
  ): List<Item> {
    return createList(async (cursor) => {
      const result = await operate(
        operation,
        cursor === undefined ? {} : { cursor },
        callOptions,
        check,
      )
      const { nextCursor } = result as { readonly nextCursor?: string } // every list has it
      return { items: itemsOf(result), ...(nextCursor !== undefined && { nextCursor }) }
    })
  }

  async function callTool(
    name: string,
    args: object = {},
    { idempotent, ...callOptions }: ToolCallOptions = {},
  ): Promise<unknown> {
    const hints = knownTools.get(name)?.annotations
    const isRepeatable = idempotent ?? Boolean(hints?.readOnlyHint || hints?.idempotentHint)
    const result = await operate(
      'tools/call',
      { name, arguments: args },
      callOptions,
      callToolResult,
      isRepeatable,
    )
    return checkOutput(name, result, knownTools, {
      mode: options.checkOutput ?? 'report',
      compileSchema: options.compileSchema,
      onError,
    })
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

    listTools: (callOptions?: CallOptions) =>
      list(
        'tools/list',
        listToolsResult,
        ({ tools }) => (knownTools.learn(tools), tools),
        callOptions,
      ),
    callTool,
    listResources: (callOptions?: CallOptions) =>
      list('resources/list', listResourcesResult, ({ resources }) => resources, callOptions),
    listResourceTemplates: (callOptions?: CallOptions) =>
      list(
        'resources/templates/list',
        listResourceTemplatesResult,
        ({ resourceTemplates }) => resourceTemplates,
        callOptions,
      ),
    readResource: (uri: string, callOptions: CallOptions = {}) =>
      operate('resources/read', { uri }, callOptions, readResourceResult),
    listPrompts: (callOptions?: CallOptions) =>
      list('prompts/list', listPromptsResult, ({ prompts }) => prompts, callOptions),
    getPrompt: (
      name: string,
      args?: { readonly [name: string]: string },
      callOptions: CallOptions = {},
    ) =>
      operate(
        'prompts/get',
        args ? { name, arguments: args } : { name },
        callOptions,
        getPromptResult,
      ),
    async complete(
      ref: object,
      argument: object,
      { known, ...callOptions }: CallOptions & { readonly known?: object } = {},
    ) {
      const params = { ref, argument, ...(known && { context: { arguments: known } }) }
      const result = await operate('completion/complete', params, callOptions, completeResult)
      return result.completion
    },

    async listen(filter: Parameters<Client['listen']>[0]) {
      const { server } = await connected().session()
      const subscription = await subscriptions.open(filter, server.capabilities)
      await streamOpened()
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
    open,
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

/** For a stream that is not needed by the answer we wait for. */
const streamPatienceMs = 2_000

function changeOf(method: string, params: JsonObject): Change | undefined {
  switch (method) {
    case 'notifications/tools/list_changed':
      return { type: 'tools' }
    case 'notifications/prompts/list_changed':
      return { type: 'prompts' }
    case 'notifications/resources/list_changed':
      return { type: 'resources' }
    case 'notifications/resources/updated':
      return resourceUpdatedParams(params) === undefined
        ? { type: 'resource', uri: params['uri'] as string } // just checked
        : undefined
    default:
      return undefined
  }
}

function revisionsOf(era: ConnectOptions['era'] = 'auto'): readonly string[] {
  if (era === 'auto' || era === 'legacy') return spokenRevisions
  return era === 'modern' ? ['2026-07-28' satisfies Revision] : [era]
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
