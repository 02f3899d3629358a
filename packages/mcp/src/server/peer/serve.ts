import type { AuthInfo } from '../../rpc/auth-info.ts'
import { createBoundedBatches } from '../../rpc/bounded-batches.ts'
import { createByteAccount, HeldBytes } from '../../rpc/byte-account.ts'
import { openConnection } from '../../rpc/connection.ts'
import type { OnError } from '../../rpc/errors/error-report.ts'
import { guardedReport } from '../../rpc/errors/guarded-report.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Frame } from '../../rpc/frame.ts'
import type { HeartbeatOptions } from '../../rpc/heartbeat.ts'
import type { Limits } from '../../rpc/limits.ts'
import type { Notification, Request, RequestId } from '../../rpc/message.ts'
import { resolveServerLimits } from '../../rpc/server-limits.ts'
import { systemClock, type Clock } from '../../rpc/time/clock.ts'
import { createDeadlines } from '../../rpc/time/deadlines.ts'
import type { Transport } from '../../rpc/transport.ts'
import { cancelledParams, type CancelledNotificationParams } from '../../schema/cancellation.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { Revision } from '../../schema/revision.ts'
import { hasEnvelope } from '../../wire/envelope.ts'
import { decodeWireError, encodeWireError } from '../../wire/error-codes.ts'
import { newestFirst, newestRevision, spokenRevisions } from '../../wire/features.ts'
import { encodeModernError } from '../../wire/modern-codec.ts'
import type { Caller } from '../calls/caller.ts'
import { CallsInFlight, shuttingDown, type DrainReport } from '../calls/calls-in-flight.ts'
import type { Definition } from '../definition.ts'
import { stateSecretsFor } from '../input/request-state.ts'
import { definitionOf, type Server } from '../server.ts'
import { weighMessages, type PeerAccount } from '../weigh-messages.ts'
import { openHandshake, type Handshake } from './handshake.ts'
import { noInitialize, openModernCaller, type ModernHost } from './modern-caller.ts'

/** What every way of serving understands. */
export interface ServeOptions {
  /** Refuse some revisions. @defaultValue all we speak */
  readonly revisions?: readonly Revision[] | undefined
  readonly limits?: Limits | undefined
  readonly clock?: Clock | undefined
  /**
   * Seals what clients keep for us between rounds: the first seals, all open. Every process that serves the same clients
   * needs the same; at least 16 characters, made by chance. @defaultValue random, for this process
   */
  readonly secret?: string | readonly string[] | undefined
  /** Ping at an interval, to find a client that hangs. @defaultValue false: the channel's end is found anyway */
  readonly heartbeat?: false | HeartbeatOptions | undefined
  readonly onMessage?: ((frame: Frame) => void) | undefined
  /** @defaultValue the definition's own */
  readonly onError?: OnError | undefined
}

/** Something being served. Disposing it is `drain()` with the default deadline. */
export interface Service extends AsyncDisposable {
  /** Stops intake, lets calls finish, aborts the rest at the deadline, closes. Calling it twice is calling it once. */
  drain(options?: { readonly deadlineMs?: number | undefined }): Promise<DrainReport>
  /** Settles when nothing is served any more, whoever ended it. */
  readonly closed: Promise<void>
}

/** One peer being served. */
export interface PeerService extends Service {
  /** Its calls that are being worked on. */
  readonly inFlight: number
}

/** What is known about one peer before it says anything. */
export interface PeerOptions {
  /** As verified by whoever opened the channel. */
  readonly auth?: AuthInfo | undefined
  /** The request that opened the channel, where HTTP did. */
  readonly http?: Caller['http'] | undefined
  /** See `Caller.authorize`. */
  readonly authorize?: Caller['authorize'] | undefined
  /** Who sends what arrives now, where every message brings a credential of its own. */
  readonly currentSender?: (() => Pick<Caller, 'auth' | 'authorize'>) | undefined
}

/** Serves one peer on a transport of your own. */
export function serveTransport<App>(
  server: Server<App, unknown>,
  transport: Transport,
  options: ServeOptions & PeerOptions = {},
): Service {
  return serveDefinition(definitionOf(server), transport, options)
}

/** Whoever comes by these is not the user of this machine unless a guard says so. */
const networks: ReadonlySet<Transport['kind']> = new Set(['http', 'sse', 'websocket'])

/** What is written to these in close succession may be read at once. */
const streams: ReadonlySet<Transport['kind']> = new Set(['stdio', 'sse', 'websocket'])

/** One connection to one peer: its handshake, its calls in flight, and its end. */
export function serveDefinition(
  definition: Definition,
  channel: Transport,
  options: ServeOptions & PeerOptions & { readonly bytes?: PeerAccount } = {},
): PeerService {
  const { clock = systemClock, revisions = spokenRevisions, auth, http, authorize } = options
  const own = { ...(auth && { auth }), ...(http && { http }), ...(authorize && { authorize }) }
  const onError = guardedReport(options.onError ?? definition.settings.onError)
  const limits = resolveServerLimits(options.limits)
  const bytes = options.bytes ?? { account: createByteAccount(limits), caller: '' }
  const held = new HeldBytes(bytes.account, bytes.caller)
  const { transport, arriving } = weighMessages(channel, bytes)
  const calls = new CallsInFlight(definition, clock, limits, streams.has(transport.kind))
  const deadlines = createDeadlines(clock, (now) => calls.timeOut(now))
  const standsAloneHere = newestRevision('modern', revisions) !== undefined
  const greets = newestRevision('legacy', revisions) !== undefined
  const isLocal = !networks.has(transport.kind)
  const exchanges: ModernHost = {
    definition,
    spoken: newestFirst(revisions),
    isLocal,
    clock,
    limits,
    onError,
    stateSecrets: stateSecretsFor(definition, options),
    keepTime: deadlines.arm,
  }
  let handshake: Handshake | undefined
  let draining: Promise<DrainReport> | undefined
  let isClosed = false
  let markClosed: () => void
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  const connection = openConnection({
    transport,
    clock,
    limits,
    answersAhead: 0,
    onRequest,
    onNotification,
    onEnd,
    onError,
    onMessage: options.onMessage,
    isInUse: (id) => calls.has(id),
    batches: () => (handshake?.codec.has.batches ? createBoundedBatches : undefined),
    decodeError: decodeWireError,
    encodeError: encodeWireError,
  })

  function onRequest(request: Request): void {
    const { id, method } = request
    // Without the id: the answer to the first request with it must stay the only one.
    const inUse = calls.inUse(id)
    if (inUse) return refuse(undefined, inUse)
    if (standsAloneHere && isStandalone(request)) {
      return startModern(request)
    }
    if (method === 'ping') return connection.reply(id, { jsonrpc: '2.0', id, result: {} })
    if (draining) return refuse(id, new RpcError('overloaded', shuttingDown))
    if (method === 'initialize') return initialize(request)
    if (handshake === undefined) {
      const why = `${method} before initialize: initialize first`
      return refuse(id, new RpcError('invalid_request', why))
    }
    const overload = calls.overload() ?? arriving()?.refusal
    if (overload) return refuse(id, overload)
    calls.start(request, handshake.sender(), connection, arriving()?.held)
  }

  /** Each message tells by itself which kind it is: both may come by one channel. */
  function isStandalone({ method, params }: Request): boolean {
    return hasEnvelope(params) || (!greets && method !== 'initialize')
  }

  function startModern(request: Request): void {
    const { id, params } = request
    try {
      if (draining) throw new RpcError('overloaded', shuttingDown)
      const overload = calls.overload() ?? arriving()?.refusal
      if (overload) throw overload
      calls.start(
        request,
        openModernCaller(exchanges, params, connection, {
          ...own,
          ...options.currentSender?.(),
        }),
        connection,
        arriving()?.held,
      )
    } catch (error) {
      connection.refuse(id, encodeModernError(isRpcError(error) ? error : masked(error)))
    }
  }

  function refuse(id: RequestId | undefined, error: RpcError): void {
    connection.refuse(id, encodeWireError(error))
  }

  function initialize(request: Request): void {
    const { id, params } = request
    const { protocolVersion } = params
    if (!greets) {
      const error = noInitialize(protocolVersion, exchanges.spoken)
      return connection.refuse(id, encodeModernError(error))
    }
    if (handshake !== undefined) {
      return refuse(id, new RpcError('invalid_request', 'this session is initialized already'))
    }
    try {
      const { currentSender, heartbeat } = options
      const host = { ...exchanges, connection, revisions, own, currentSender, heartbeat, held }
      handshake = openHandshake(host, request)
      connection.reply(id, handshake.response)
    } catch (error) {
      refuse(id, isRpcError(error) ? error : masked(error))
    }
  }

  function masked(error: unknown): RpcError {
    onError(error, { severity: 'error', operation: 'initialize' })
    return new RpcError('internal_error', 'internal error')
  }

  function onNotification({ method, params }: Notification): void {
    switch (method) {
      case 'notifications/initialized':
        return handshake?.onInitialized()
      case 'notifications/cancelled':
        return onCancelled(params)
      case 'notifications/roots/list_changed':
        return // roots are asked for when they are needed
      default:
        return // unknown notifications are never answered
    }
  }

  function onCancelled(params: JsonObject): void {
    if (cancelledParams(params) !== undefined) return // malformed ones are ignored
    const { requestId, reason } = params as unknown as CancelledNotificationParams // just checked
    if (requestId !== undefined) calls.cancel(requestId, reason)
  }

  function onEnd(cause: unknown): void {
    isClosed = true
    deadlines[Symbol.dispose]()
    calls.abortAll('disconnect', 'the client has gone')
    handshake?.end(cause)
    held.close()
    void connection.close(
      new McpError('closed', 'the connection has ended', { details: undefined }),
    )
    markClosed()
  }

  async function drain(deadlineMs: number): Promise<DrainReport> {
    const listening = calls.listening()
    const report = await calls.drain(isClosed ? 0 : deadlineMs)
    for (const requestId of listening) connection.notify('notifications/cancelled', { requestId })
    await connection.close(
      new McpError('draining', 'the service is shutting down', { details: undefined }),
    )
    return report
  }

  const service: PeerService = {
    get inFlight() {
      return calls.count
    },
    // A turn later, because closing may lead back here; intake stops at once.
    drain: ({ deadlineMs = 5_000 } = {}) => (draining ??= Promise.resolve(deadlineMs).then(drain)),
    closed,
    [Symbol.asyncDispose]: async () => void (await service.drain()),
  }
  return service
}
