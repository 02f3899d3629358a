/**
 * The server's side of one session: receives the client's messages and keeps the session's state.
 *
 * Connections and HTTP POSTs feed it in the same way; a `RequestChannel` comes with each request and takes the response. What
 * the transport has to do for a session is in `SessionTransport`. `session-state.ts` decides what becomes of a request,
 * `CallsInFlight` runs calls. Modern requests may come by the same connection: they have a caller of their own and change
 * nothing here.
 *
 * Over HTTP there may be thousands of idle sessions: what a session needs only while it is busy is created on demand, and
 * dropped by `freeMemory`.
 */
import { batchRejection, expectedOf } from '../../rpc/batches.ts'
import { inTurns } from '../../rpc/clock.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { MemoryShare } from '../../rpc/memory-budget.ts'
import type {
  Batch,
  ErrorResponse,
  Malformed,
  Message,
  Notification,
  Request,
  RequestId,
  ResultResponse,
} from '../../rpc/message.ts'
import type { SessionEnd } from '../../rpc/observer.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { createTokenBucket, type TokenBucket } from '../../rpc/rate.ts'
import type { TransportKind } from '../../rpc/transport.ts'
import type { JsonObject } from '../../schema/json.ts'
import { cancelledParams, type CancelledNotificationParams } from '../../schema/lifecycle.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import { isClientNotification } from '../../schema/methods/notifications.ts'
import type { Codec } from '../../wire/codec.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import { encodeModernError } from '../../wire/modern-codec.ts'
import type { BackendChannel, BackendClient } from '../backend.ts'
import type { Responder } from '../calls/call.ts'
import { Caller, type CallService, type ClientState, type RequestChannel } from '../calls/caller.ts'
import { CallsInFlight, idInUse, shuttingDown } from '../calls/calls-in-flight.ts'
import { noInitialize, openModernCaller } from '../calls/modern-caller.ts'
import { internalError } from '../calls/report-fault.ts'
import type { Definition, ServerChange } from '../definition.ts'
import type { Negotiated } from '../initialize.ts'
import type { StateSecrets } from '../input/request-state.ts'
import { changeNotification } from '../notifications.ts'
import { unsubscribeAll } from '../subscriptions.ts'
import {
  stepOf,
  transition,
  type Eras,
  type SessionEvent,
  type SessionState,
} from './session-state.ts'

/** The running service that a session belongs to. */
export interface SessionService extends CallService {
  readonly definition: Definition
  readonly stateSecrets: StateSecrets
  readonly eras: Eras
  /** True after `drain()`: new requests are rejected. */
  readonly isDraining: boolean
  /** True if the client may read several messages in one piece. Then the last progress is sent well before the response. */
  readonly separatesProgress: boolean
}

/** Receives what a client says about requests of the server. A promise where another process has to be notified first. */
export interface ResponseReceiver {
  /** Receives a response; one that no request waits for is reported. */
  response(message: ResultResponse | ErrorResponse): MaybePromise<void>
  /** Rejects the request whose response cannot be read. */
  unreadable(message: Malformed): MaybePromise<void>
  /** Receives `notifications/progress`. */
  progressed(params: JsonObject): MaybePromise<unknown>
}

/** Services of the transport for a session. */
export interface SessionTransport extends BackendChannel {
  /** Receives responses to requests of the server. */
  readonly requests: ResponseReceiver
  /** Handles `initialize`. Absent where the transport creates the session after it has answered `initialize`. */
  initialize?(request: Request, channel: RequestChannel): void
  /** Called for `notifications/initialized`. Returns a promise if other processes have to be notified first. */
  onInitialized(): MaybePromise<unknown>
  /** The responder for a request. @defaultValue the channel that the request came from */
  responderFor?(request: Request, channel: RequestChannel): Responder
  /** True if the client subscribed to this URI at another process. */
  isSubscribedRemotely?(uri: string): boolean
  /** Cancels a request that another process is handling. Absent where there is none. */
  cancelRemote?(id: RequestId, reason: string | undefined): MaybePromise<void>
}

/** The reason of calls that are aborted because their client has disconnected. */
export const clientDisconnected = 'the client has disconnected'

/** Log messages above this rate are dropped, and reported once. */
const logRate = { burst: 1_000, perSecond: 1_000 }

/** See the head of this file. */
export class ServerSession implements BackendClient, ClientState {
  readonly service: SessionService
  state: SessionState = { status: 'opening' }
  logLevel: LoggingLevel = 'info'
  sessionId: string | undefined
  /** The memory that the session uses. */
  memory: MemoryShare | undefined
  readonly transport: SessionTransport
  private opened: Negotiated | undefined
  private readonly ownQuotaKey: string | undefined
  private localCalls: CallsInFlight | undefined
  private localSubscriptions: Set<string> | undefined
  private logBucket: TokenBucket | undefined
  private hasReportedDrop = false
  private onSessionEnd: SessionEnd | undefined

  /** `quotaKey` is the key that limits count by. @defaultValue the session itself */
  constructor(service: SessionService, transport: SessionTransport, quotaKey?: string) {
    this.service = service
    this.transport = transport
    this.ownQuotaKey = quotaKey
  }

  /** Records the answer to `initialize`. */
  open({ client, codec, declared, backend }: Negotiated): void {
    this.opened = { client, codec, declared, backend }
    backend?.attach(this)
    this.advance({ type: 'initialize-answered', codec })
  }

  /** Restores a session that was opened before, perhaps by another process. */
  resume(negotiated: Negotiated, isReady: boolean): void {
    this.opened = negotiated
    negotiated.backend?.attach(this)
    this.state = { status: isReady ? 'ready' : 'negotiated', codec: negotiated.codec }
  }

  /** Reports the start of the session to the observer. */
  observe(transport: TransportKind | undefined): void {
    const { observer } = this.service.definition.settings
    const { revision } = this.codec
    this.onSessionEnd = observer?.watchSession?.({ side: 'server', revision, transport })
  }

  /** The result of `initialize`. Throws before that. */
  get negotiated(): Negotiated {
    if (this.opened === undefined) throw new TypeError('the session is not initialized yet')
    return this.opened
  }

  get codec(): Codec {
    return this.negotiated.codec
  }

  /** True after `notifications/initialized`. */
  get isReady(): boolean {
    return this.state.status === 'ready'
  }

  get client(): ClientState['client'] {
    return this.negotiated.client
  }

  get declared(): ClientState['declared'] {
    return this.negotiated.declared
  }

  get backend(): ClientState['backend'] {
    return this.negotiated.backend
  }

  get quotaKey(): object | string {
    return this.ownQuotaKey ?? this.negotiated.client
  }

  /** URIs that the client has subscribed to. */
  get subscriptions(): Set<string> {
    this.localSubscriptions ??= new Set()
    return this.localSubscriptions
  }

  get hasSubscriptions(): boolean {
    return this.localSubscriptions !== undefined && this.localSubscriptions.size > 0
  }

  get calls(): CallsInFlight {
    const { definition, clock, limits, separatesProgress } = this.service
    this.localCalls ??= new CallsInFlight(definition, clock, limits, separatesProgress)
    return this.localCalls
  }

  /** The number of calls in flight. */
  get count(): number {
    return this.localCalls?.count ?? 0
  }

  advance(event: SessionEvent): void {
    this.state = transition(this.state, event)
  }

  hasCall(id: RequestId): boolean {
    return this.localCalls?.has(id) ?? false
  }

  /** Starts a call, or responds at once. Pass `overLimit` if the message exceeded the memory of its client. */
  request(
    request: Request,
    channel: RequestChannel,
    memory?: MemoryShare,
    overLimit?: RpcError,
  ): void {
    const { id } = request
    // The error has no id: a response with this id would be taken for the response to the first request.
    if (this.hasCall(id)) return channel.reject(undefined, encodeWireError(idInUse(id)))
    const { eras, isDraining } = this.service
    const step = stepOf(request, this.state, eras, isDraining)
    switch (step) {
      case 'answer-ping':
        return void channel.reply(id, { jsonrpc: '2.0', id, result: {} })
      case 'start-call':
        return this.startCall(request, channel, memory, overLimit)
      case 'start-modern-call':
        return this.startModernCall(request, channel, memory, overLimit)
      case 'initialize':
        return this.transport.initialize?.(request, channel)
      case 'refuse-initialize': {
        const { supported } = this.service
        const rejection = noInitialize(request.params['protocolVersion'], supported)
        return channel.reject(id, encodeModernError(rejection))
      }
      case 'refuse-second-initialize':
      case 'refuse-before-initialize':
      case 'refuse-draining':
        return channel.reject(id, encodeWireError(rejectionFor(step, request.method)))
    }
  }

  /** Handles every notification of a client. Returns a promise if another process has to be notified first. */
  notification({ method, params }: Notification): MaybePromise<unknown> {
    if (!isClientNotification(method)) return this.opened?.backend?.notification(method, params)
    switch (method) {
      case 'notifications/initialized':
        return this.state.status === 'negotiated' ? this.initialized() : undefined
      case 'notifications/cancelled':
        return this.cancel(params)
      case 'notifications/progress':
        return this.transport.requests.progressed(params)
      case 'notifications/roots/list_changed': // roots are never cached
      case 'notifications/tasks/status': // nor are tasks
        return this.opened?.backend?.notification(method, params)
    }
  }

  private initialized(): MaybePromise<unknown> {
    const recorded = this.transport.onInitialized()
    const { backend } = this.negotiated
    if (backend === undefined) return recorded
    return isPromise(recorded) ? recorded.then(() => backend.ready()) : backend.ready()
  }

  response(message: ResultResponse | ErrorResponse): MaybePromise<void> {
    return this.transport.requests.response(message)
  }

  /** Rejects a malformed message, or fails the request that it should have answered. */
  malformed(message: Malformed, channel?: RequestChannel): MaybePromise<void> {
    if (!message.isAnswerable) return this.transport.requests.unreadable(message)
    channel?.reject(message.id, encodeWireError(message.error))
  }

  /** Handles notifications and responses first, then starts the requests. A long batch yields to other work in between. */
  batch(
    { members }: Batch,
    channel: RequestChannel,
    memory?: MemoryShare,
    overLimit?: RpcError,
  ): MaybePromise<unknown> {
    const rejection = batchRejection(members, this.opened?.codec.has.batches ?? false)
    if (rejection) return channel.reject(undefined, encodeWireError(rejection))
    const { ids, rejections } = expectedOf(members, encodeWireError)
    const fresh = [...new Set(ids)].filter((id) => !this.hasCall(id))
    channel.openBatch(fresh, rejections)
    const received = members.map((member) => this.receiveOther(member))
    const requests = members.filter((member) => member.kind === 'request')
    const startAll = (): MaybePromise<void> =>
      inTurns(requests, (request) => {
        try {
          this.request(request, channel, memory, overLimit)
        } catch (error) {
          this.service.onError(error, { severity: 'error' }) // the other requests still start
        }
      })
    return received.some(isPromise) ? Promise.all(received).then(startAll) : startAll()
  }

  private receiveOther(message: Message | Malformed): MaybePromise<unknown> {
    if (message.kind === 'notification') return this.notification(message)
    if (message.kind === 'result' || message.kind === 'error') return this.response(message)
    return undefined
  }

  /** Notifies the client of a change, if it wants to know. No other code does that for sessions. */
  changed(change: ServerChange): void {
    if (!this.isReady) return
    const isWanted =
      change.type === 'resource'
        ? this.localSubscriptions?.has(change.uri) ||
          this.transport.isSubscribedRemotely?.(change.uri)
        : this.negotiated.declared[change.type]?.listChanged
    if (!isWanted) return
    const { method, params } = changeNotification(change)
    this.transport.notifySession(method, params, true)
  }

  /** Takes one log message from the allowed rate. */
  mayLog(): boolean {
    this.logBucket ??= createTokenBucket(this.service.clock, logRate)
    return this.logBucket.take()
  }

  reportDropped(): void {
    if (this.hasReportedDrop) return
    this.hasReportedDrop = true
    const why = `log messages were dropped: more than ${logRate.perSecond} a second, or the client reads too slowly`
    this.service.onError(new RpcError('overloaded', why), { severity: 'warning' })
  }

  /** Ends calls past their deadline. Returns the next deadline, or `Infinity`. */
  timeOut(now: number): number {
    return this.localCalls?.timeOut(now) ?? Infinity
  }

  /** Frees what an idle session does not need. Call it only while no call is in flight. */
  freeMemory(): void {
    this.localCalls = undefined
    this.logBucket = undefined
    if (!this.hasSubscriptions) this.localSubscriptions = undefined
  }

  /** Ends the session: aborts its calls, removes its subscriptions and frees its memory. */
  close(by: 'disconnect' | 'session', why: string, cause?: unknown): void {
    this.advance({ type: 'closed', cause })
    this.localCalls?.abortAll(by, why)
    this.opened?.backend?.close()
    if (this.hasSubscriptions) unsubscribeAll(this.service.definition, this)
    this.memory?.close()
    this.onSessionEnd?.(cause)
    this.onSessionEnd = undefined
  }

  private startCall(
    request: Request,
    channel: RequestChannel,
    memory: MemoryShare | undefined,
    overLimit: RpcError | undefined,
  ): void {
    const busy = this.calls.overload()
    if (busy) {
      const error = encodeWireError(busy)
      return channel.rejectBusy
        ? channel.rejectBusy(request.id, error)
        : channel.reject(request.id, error)
    }
    if (overLimit) return channel.reject(request.id, encodeWireError(overLimit))
    channel.caller ??= new Caller(this.service, this, channel, channel.sender)
    const responder = this.transport.responderFor?.(request, channel) ?? channel
    this.calls.start(request, channel.caller, responder, memory)
  }

  private startModernCall(
    request: Request,
    channel: RequestChannel,
    memory: MemoryShare | undefined,
    overLimit: RpcError | undefined,
  ): void {
    const { service } = this
    try {
      if (service.isDraining) throw new RpcError('overloaded', shuttingDown)
      const rejection = this.calls.overload() ?? overLimit
      if (rejection) throw rejection
      const caller = openModernCaller(service, request.params, channel, channel.sender)
      this.calls.start(request, caller, channel, memory)
    } catch (error) {
      channel.reject(request.id, encodeModernError(this.masked(error, request.method)))
    }
  }

  private cancel(params: JsonObject): MaybePromise<void> {
    if (cancelledParams(params) !== undefined) return // malformed ones are ignored
    const { requestId, reason } = params as unknown as CancelledNotificationParams // just checked
    if (!this.hasCall(requestId)) return this.transport.cancelRemote?.(requestId, reason)
    this.localCalls?.cancel(requestId, reason)
  }

  /** The error as the client may see it. */
  masked(error: unknown, operation: string): RpcError {
    if (isRpcError(error)) return error
    this.service.onError(error, { severity: 'error', operation })
    return internalError()
  }
}

function rejectionFor(
  step: 'refuse-second-initialize' | 'refuse-before-initialize' | 'refuse-draining',
  method: string,
): RpcError {
  switch (step) {
    case 'refuse-draining':
      return new RpcError('overloaded', shuttingDown)
    case 'refuse-second-initialize':
      return new RpcError('invalid_request', 'this session is initialized already')
    case 'refuse-before-initialize':
      return new RpcError('invalid_request', `${method} before initialize: initialize first`)
  }
}
