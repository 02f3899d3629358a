/**
 * Serves one client on one `Transport`: stdio, WebSocket, HTTP+SSE, in process, or a transport of the user.
 *
 * Opens the `Connection`, creates the `ServerSession`, passes every message to it, handles `initialize`, and ends both together.
 * Messages are charged to the memory of the client while they are received. Streamable HTTP does not come here: its sessions live
 * longer than a connection, see `transport/http`.
 */
import type { AuthInfo } from '../../rpc/auth-info.ts'
import { createBatchReplies, boundedReplies } from '../../rpc/batches.ts'
import { systemClock, type Clock, createDeadlines } from '../../rpc/clock.ts'
import { openConnection, type Connection } from '../../rpc/connection.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { type OnError, guardedReport } from '../../rpc/errors/on-error.ts'
import type { Frame } from '../../rpc/frame.ts'
import { keepAlive, type HeartbeatOptions } from '../../rpc/heartbeat.ts'
import { PreparedResponse } from '../../rpc/json/json-text.ts'
import { type Limits, resolveServerLimits } from '../../rpc/limits.ts'
import { createMemoryBudget, MemoryShare } from '../../rpc/memory-budget.ts'
import type { Request } from '../../rpc/message.ts'
import { withArrival } from '../../rpc/observer.ts'
import { attempt } from '../../rpc/promise.ts'
import type { Receiver } from '../../rpc/receiver.ts'
import type { Transport } from '../../rpc/transport.ts'
import type { Revision } from '../../schema/revision.ts'
import { decodeWireError, encodeWireError } from '../../wire/error-codes.ts'
import { newestFirst, supportedRevisions } from '../../wire/features.ts'
import type { Caller, RequestAuth, RequestChannel } from '../calls/caller.ts'
import type { DrainReport } from '../calls/calls-in-flight.ts'
import type { Definition } from '../definition.ts'
import { initialize as negotiate } from '../initialize.ts'
import { stateSecretsFor } from '../input/request-state.ts'
import { definitionOf, type Server } from '../server.ts'
import { mergeListChanges } from '../subscriptions.ts'
import { chargeMessages, type SessionMemory } from './charge-messages.ts'
import {
  clientDisconnected,
  ServerSession,
  type SessionService,
  type SessionTransport,
} from './server-session.ts'
import { erasOf } from './session-state.ts'

/** Options of every way of serving. */
export interface ServeOptions {
  /** Refuse some revisions. @defaultValue all we speak */
  readonly revisions?: readonly Revision[] | undefined
  /** How much a client may send and hold; see {@link Limits} for each default. */
  readonly limits?: Limits | undefined
  /** The clock; a virtual one in tests. @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined
  /**
   * Seals what clients keep for us between rounds: the first seals, all open. Every process that serves the same clients
   * needs the same; at least 16 characters, made by chance. @defaultValue random, for this process
   */
  readonly secret?: string | readonly string[] | undefined
  /** Ping at an interval, to find a client that hangs. @defaultValue false: the channel's end is found anyway */
  readonly heartbeat?: false | HeartbeatOptions | undefined
  /** Sees every message in both directions, for traces. Secrets in arguments are in it too. */
  readonly onMessage?: ((frame: Frame) => void) | undefined
  /** @defaultValue the definition's own */
  readonly onError?: OnError | undefined
}

/** A running service. Disposing it is `drain()` with the default deadline. */
export interface Service extends AsyncDisposable {
  /** Stops intake, lets calls finish, aborts the rest at the deadline, closes. Calling it twice is calling it once. */
  drain(options?: { readonly deadlineMs?: number | undefined }): Promise<DrainReport>
  /** Resolves when the service has ended, for any reason. */
  readonly closed: Promise<void>
}

/** The service of one client. */
export interface ConnectionService extends Service {
  /** The number of calls in flight. */
  readonly inFlight: number
}

/** Facts about a client that are known before its first message. */
export interface ConnectionOptions {
  /** The identity, verified by the code that opened the channel. */
  readonly auth?: AuthInfo | undefined
  /** The request that opened the channel, where HTTP did. */
  readonly http?: Caller['http'] | undefined
  /** See `Caller.authorize`. */
  readonly authorize?: Caller['authorize'] | undefined
  /** The sender of the current message, if every message has its own credential. */
  readonly currentSender?: (() => RequestAuth) | undefined
}

/** Serves one client on a transport of your own. */
export function serveTransport<App>(
  server: Server<App, unknown>,
  transport: Transport,
  options: ServeOptions & ConnectionOptions = {},
): Service {
  return serveDefinition(definitionOf(server), transport, options)
}

/** Transports whose client is not the local user, unless a guard says so. */
const networks: ReadonlySet<Transport['kind']> = new Set(['http', 'sse', 'websocket'])

/** Transports whose client may read several messages in one piece. */
const streams: ReadonlySet<Transport['kind']> = new Set(['stdio', 'sse', 'websocket'])

/** Serves one client on one connection, and ends with it. */
export function serveDefinition(
  definition: Definition,
  inner: Transport,
  options: ServeOptions & ConnectionOptions & { readonly bytes?: SessionMemory } = {},
): ConnectionService {
  const { clock = systemClock, revisions = supportedRevisions, auth, http, authorize } = options
  const own = { ...(auth && { auth }), ...(http && { http }), ...(authorize && { authorize }) }
  const onError = guardedReport(options.onError ?? definition.settings.onError)
  const limits = resolveServerLimits(options.limits)
  const bytes = options.bytes ?? { quotaKey: createMemoryBudget(limits), caller: '' }
  const { transport, arriving } = chargeMessages(inner, bytes)
  const deadlines = createDeadlines(clock, (now) => session.timeOut(now))
  const isLocal = !networks.has(transport.kind)
  const context: SessionService = {
    definition,
    supported: newestFirst(revisions),
    eras: erasOf(revisions),
    isLocal,
    clock,
    limits,
    onError,
    stateSecrets: stateSecretsFor(definition, options),
    keepTime: deadlines.arm,
    get isDraining() {
      return draining !== undefined
    },
    separatesProgress: streams.has(transport.kind),
  }
  const sessionTransport: SessionTransport = {
    get requests() {
      return connection.requests
    },
    initialize,
    onInitialized,
    notifySession: (method, params) => connection.notify(method, params),
    drained: () => connection.drained(),
    requestOutsideCall: (method, params, limited) => connection.request(method, params, limited),
  }
  const session = new ServerSession(context, sessionTransport)
  session.memory = new MemoryShare(bytes.quotaKey, bytes.caller)
  const changes = mergeListChanges(clock, (change) => session.changed(change))
  let heartbeat: Disposable | undefined
  let draining: Promise<DrainReport> | undefined
  let isClosed = false
  let markClosed: () => void
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  const connection = openConnection({
    transport,
    clock,
    limits,
    maxPendingResponses: 0,
    receiver: feed,
    onEnd,
    onError,
    onMessage: options.onMessage,
    createReplies: (send) =>
      createBatchReplies(send, boundedReplies(limits.batchBytes, encodeWireError)),
    decodeError: decodeWireError,
  })

  /** Everything that arrives goes to the session. */
  function feed(from: Connection): Receiver {
    const { currentSender } = options
    const { observer } = definition.settings
    const channel: RequestChannel = {
      ...from,
      replyJson(id, json) {
        const prepared = new PreparedResponse(id, json)
        from.reply(id, prepared.text, prepared)
      },
      sender: own,
      caller: undefined,
    }
    const sender = (): RequestChannel =>
      currentSender ? { ...channel, sender: { ...own, ...currentSender() } } : channel
    return {
      request(request, raw) {
        const charged = arriving()
        const arrived = observer && typeof raw === 'string' ? withArrival(request, raw) : request
        session.request(arrived, sender(), charged?.memory, charged?.rejection)
      },
      notification: (notification) => session.notification(notification),
      result: (response) => session.response(response),
      error: (response) => session.response(response),
      malformed: (malformed) => session.malformed(malformed, channel),
      batch(batch) {
        const charged = arriving()
        return session.batch(batch, sender(), charged?.memory, charged?.rejection)
      },
    }
  }

  function initialize(request: Request, channel: RequestChannel): void {
    const caller = { isLocal, ...(auth && { auth }) }
    const { clientBytes } = limits
    const fail = (error: unknown): void =>
      channel.reject(request.id, encodeWireError(session.masked(error, 'initialize')))
    void attempt(
      () =>
        negotiate(definition, request, { revisions, caller, clientBytes }, (answer) => {
          if (session.state.status !== 'opening') {
            answer.backend?.close()
            return session.request(request, channel) // it came twice, or the client has disconnected
          }
          const rejection = session.memory?.reserve(answer.bytes)
          if (rejection) throw rejection
          session.open(answer)
          session.observe(transport.kind)
          definition.listeners.add(changes.add)
          channel.reply(request.id, answer.response)
        }),
      fail,
    )
  }

  function onInitialized(): void {
    session.advance({ type: 'initialized' })
    if (options.heartbeat) heartbeat = keepAlive(connection, clock, options.heartbeat, onError)
  }

  function onEnd(cause: unknown): void {
    isClosed = true
    deadlines[Symbol.dispose]()
    session.close('disconnect', clientDisconnected, cause)
    definition.listeners.delete(changes.add)
    heartbeat?.[Symbol.dispose]()
    changes[Symbol.dispose]()
    void connection.close(
      new McpError('closed', 'the connection has ended', { details: undefined }),
    )
    markClosed()
  }

  async function drain(deadlineMs: number): Promise<DrainReport> {
    const listening = session.calls.listening()
    const report = await session.calls.drain(isClosed ? 0 : deadlineMs)
    for (const requestId of listening) connection.notify('notifications/cancelled', { requestId })
    await connection.close(
      new McpError('draining', 'the service is shutting down', { details: undefined }),
    )
    return report
  }

  const service: ConnectionService = {
    get inFlight() {
      return session.count
    },
    // A turn later, because closing may lead back here; intake stops at once.
    drain: ({ deadlineMs = 5_000 } = {}) => (draining ??= Promise.resolve(deadlineMs).then(drain)),
    closed,
    [Symbol.asyncDispose]: async () => void (await service.drain()),
  }
  return service
}
