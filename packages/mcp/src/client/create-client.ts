import { systemClock, type Clock } from '../rpc/clock.ts'
import type { OnError } from '../rpc/error-report.ts'
import { guardedReport } from '../rpc/guarded-report.ts'
import { resolveLimits } from '../rpc/limits.ts'
import { McpError } from '../rpc/mcp-error.ts'
import type { Notification } from '../rpc/message.ts'
import { isRpcError } from '../rpc/rpc-error.ts'
import type { Transport } from '../rpc/transport.ts'
import { jsonObject } from '../schema/check.ts'
import { discoverResult } from '../schema/discover.ts'
import type { JsonObject } from '../schema/json.ts'
import { emptyResult } from '../schema/lifecycle.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { Operation } from '../schema/operations.ts'
import type { Revision } from '../schema/revision.ts'
import type { SubscriptionFilter } from '../schema/subscriptions.ts'
import { spokenRevisions } from '../wire/revisions.ts'
import { peerOf, requireCapability } from './attempt.ts'
import { createCalls } from './calls.ts'
import type { Change } from './changes.ts'
import type { Client } from './client.ts'
import { sharedEraMemory } from './era-memory.ts'
import type { ExtensionHost } from './extension-host.ts'
import { createHearing } from './hearing.ts'
import { createIdentity } from './identity.ts'
import { closedError, keepConnected, type KeptConnection } from './keep-connected.ts'
import { createKeptAnswers, type KeptAnswers } from './kept-answers.ts'
import { createLinks } from './links.ts'
import type { List } from './list.ts'
import { createClientLayers, type ClientMiddleware } from './middleware.ts'
import { openOnce, type OpeningParts } from './opening.ts'
import { createOperations } from './operations.ts'
import {
  defaultTimeouts,
  type CallOptions,
  type ConnectOptions,
  type Negotiated,
  type ReconnectOptions,
} from './options.ts'
import type { QuestionHandlers } from './question-handlers.ts'
import { createQuestions } from './questions.ts'
import { toRoots, type RootsOption } from './roots.ts'
import { answerAll, type AskOne } from './rounds.ts'
import type { ClientSession } from './session.ts'
import { createToolHeaders, headersOf } from './tool-headers.ts'
import { checkOutput, createKnownTools } from './tools.ts'
import type { TransportLink } from './transport-link.ts'
import { watchFilters, watchList, type WatchedLists, type WatchOptions } from './watch.ts'

/** What a client knows about where it connects to. */
export interface ClientTarget {
  /** The same for the same server, to recall what it spoke; undefined for one that cannot be named. */
  readonly name?: string | undefined
  /** Under which answers are kept in a cache that clients share. */
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
  let handlers: QuestionHandlers = options
  if (Array.isArray(options.roots)) handlers = { ...handlers, roots: toRoots(options.roots) }
  let kept: KeptConnection | undefined
  let negotiatedAt = Date.now()

  const answers = keptAnswers(options, target, clock, onError)
  const calls = createCalls({
    kept: connected,
    identity,
    answers,
    extensions: options.extensions ?? [],
    host: () => host,
    timeouts: options.timeouts,
    mostRounds: limits.rounds,
    isStrict: options.strict ?? false,
    clock,
    closed: closed.signal,
  })
  const inputMs = options.timeouts?.inputMs ?? defaultTimeouts.inputMs
  const links = createLinks({
    ask(method, params, about) {
      const server = kept?.latest.server.info
      return detached.answer(method, params, { ...about, ...(server && { server }) })
    },
    onComplete: (id) => options.onElicitationComplete?.(id),
    inputMs,
    clock,
    closed: closed.signal,
  })
  /** Answers what comes in an error, and so belongs to no connection. */
  const detached = createQuestions({
    codec: () => kept?.latest.codec,
    handlers: () => handlers,
    about: () => ({ server: kept?.latest.server.info }),
    onLink: links.offer,
    inputMs,
    clock,
    compileSchema: options.compileSchema,
    onError,
  })
  const knownTools = createKnownTools(() => operations.listTools())
  const toolHeaders = createToolHeaders(() => kept?.latest, onError)
  const isStandalone = (): boolean => kept?.latest.kind === 'standalone'
  const operations = createOperations({
    calls,
    links,
    layers,
    knownTools,
    toolHeaders,
    isStandalone,
    options,
    onError,
  })
  const hearers = new Set<(notification: Notification) => void>()
  const host: ExtensionHost = {
    clock,
    closed: closed.signal,
    onError,
    session: () => connected().session(),
    request: (method, params, own = {}) => calls.send(method, params, own, jsonObject, true),
    async ask(requests, about, signal) {
      const session = await connected().session()
      if (session.kind === 'handshake') throw new TypeError('by handshake questions are requests')
      const server = session.server.info
      const ask: AskOne = (method, params, ending) =>
        session.ask(method, params, { ...about, signal: ending, ...(server && { server }) })
      return answerAll(requests, ask, signal)
    },
    hear(listener) {
      hearers.add(listener)
      return { [Symbol.dispose]: () => void hearers.delete(listener) }
    },
    findTool: knownTools.find,
    checkOutput: async (name, result) =>
      checkOutput(name, result, knownTools, {
        mode: options.checkOutput ?? 'report',
        compileSchema: options.compileSchema,
        onError,
      }),
  }
  const hearing = createHearing({
    kept: connected,
    envelope: identity.envelope,
    send: plain,
    onChange: noteChange,
    links,
    options,
    clock,
    onError,
  })
  const opening: OpeningParts = {
    openTransport,
    options,
    identity,
    revisions: target.revisions ?? spokenRevisions,
    clock,
    limits,
    stream: hearing.stream,
    handlers: () => handlers,
    about: () => ({ server: kept?.latest.server.info, ...calls.current }),
    onLink: links.offer,
    onNotification(notification, ...where) {
      for (const hear of hearers) hear(notification)
      hearing.onNotification(notification, ...where)
    },
    paramHeaders: (name, args) => headersOf(knownTools.get(name), args),
    onGap: hearing.onGap,
    onError,
  }

  function connected(): KeptConnection {
    if (kept !== undefined) return kept
    throw new McpError('closed', 'the client is not connected yet', { details: undefined })
  }

  /** What is known of the server may no longer be so. */
  function noteChange(change: Change): void {
    if (change.type === 'tools' || change.type === 'gap') knownTools.forget()
    answers?.invalidate(change)
  }

  /** The session in use, waited for no longer than the call would be. */
  function sessionFor({ signal, timeouts }: CallOptions): ClientSession | Promise<ClientSession> {
    const { idleMs, totalMs } = { ...defaultTimeouts, ...options.timeouts, ...timeouts }
    return connected().session({ ms: Math.min(idleMs ?? Infinity, totalMs ?? Infinity), signal })
  }

  async function plain(
    method: string,
    params: object,
    callOptions: CallOptions = {},
  ): Promise<void> {
    await calls.send(method, params, callOptions, emptyResult, true)
  }

  async function restore({ kind, connection, server }: ClientSession): Promise<void> {
    noteChange({ type: 'gap' })
    const { level } = identity
    if (kind === 'standalone' || level === undefined || !server.capabilities.logging) return
    try {
      await connection.request('logging/setLevel', { level }, { idleMs: 30_000, totalMs: 30_000 })
    } catch (error) {
      if (!isRpcError(error)) throw error
      onError(error, { severity: 'warning', operation: 'logging/setLevel' }) // a session without it is still one
    }
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
      hearing.listen(filter, callOptions),
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

    async setRoots(roots: RootsOption) {
      if (capabilities.roots === undefined) {
        throw new McpError('unsupported', 'this client was connected without roots', {
          details: { capability: 'roots' },
          hint: 'Pass roots: [] to connect() if there are none yet.',
        })
      }
      handlers = { ...handlers, roots: typeof roots === 'function' ? roots : toRoots(roots) }
      const { kind, connection } = await connected().session()
      if (kind === 'handshake') connection.notify('notifications/roots/list_changed')
    },
    async setLoggingLevel(level: LoggingLevel, callOptions: CallOptions = {}) {
      const used = await sessionFor(callOptions)
      const { kind, codec, server } = used
      if (kind === 'handshake') await plain('logging/setLevel', { level }, callOptions)
      else requireCapability('logging/setLevel', server.capabilities, codec, peerOf(used))
      identity.level = level
    },
    async ping(callOptions: CallOptions = {}) {
      const start = clock.now()
      const { kind } = await sessionFor(callOptions)
      if (kind === 'handshake') await calls.send('ping', undefined, callOptions, emptyResult, true)
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
      await kept?.close()
    },
    [Symbol.asyncDispose]: () => client.close(),
  }

  function endAll(): void {
    closed.abort(closedError())
    hearing.end()
  }

  /** What the server spoke last: in this client, by the caller's word, or in this process. */
  function prior(): Revision | undefined {
    if (kept !== undefined) return kept.latest.codec.revision
    if (options.prior !== undefined) return options.prior.revision
    return target.name === undefined ? undefined : sharedEraMemory.recall(target.name)
  }

  /** Only what was found out by asking, and counted from then. */
  function remember(revision: Revision): void {
    const { era = 'auto', prior: told } = options
    if (target.name === undefined || era !== 'auto' || told !== undefined) return
    if (sharedEraMemory.recall(target.name) === revision) return
    sharedEraMemory.remember(target.name, revision)
  }

  kept = await keepConnected({
    async open(watch, aborted) {
      const session = await openOnce(opening, { watch, closed: aborted, prior: prior() })
      negotiatedAt = Date.now()
      remember(session.codec.revision)
      return session
    },
    reconnect: reconnectOptions(options.reconnect),
    clock,
    onStatus(status, previous) {
      if (status.state === 'closed') endAll()
      if (status.state === 'reconnecting') hearing.interrupt()
      else if (previous.state === 'reconnecting' && status.state !== 'closed')
        void hearing.catchUp()
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

/** Private answers belong to who asked: to a partition if one is named, else to this client alone. */
function keptAnswers(
  { cache, auth }: ConnectOptions,
  { cacheName }: ClientTarget,
  clock: Clock,
  onError: OnError,
): KeptAnswers | undefined {
  if (cache === false) return undefined
  const own = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const server = cacheName ?? own
  const partition = auth?.partition || own
  return createKeptAnswers({ cache, server, partition, clock, onError })
}

function reconnectOptions(reconnect: ConnectOptions['reconnect']): ReconnectOptions | undefined {
  if (reconnect === undefined || reconnect === false) return undefined
  return reconnect === true ? {} : reconnect
}

/** Standard error by default; what a server does wrong should be seen once by somebody. */
const printWarning: OnError = (error, { severity, operation }) => {
  console.error(`[${severity}]${operation === undefined ? '' : ` ${operation}:`}`, error)
}
