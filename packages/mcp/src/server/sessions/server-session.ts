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
import type { PendingOptions } from '../../rpc/pending-requests.ts'
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
import type { BackendClient } from '../backend.ts'
import type { Responder } from '../calls/call.ts'
import { Caller, type ClientState, type RequestChannel } from '../calls/caller.ts'
import { CallsInFlight, idInUse, shuttingDown } from '../calls/calls-in-flight.ts'
import { noInitialize, openModernCaller, type ModernHost } from '../calls/modern-caller.ts'
import { internalError } from '../calls/report-fault.ts'
import type { ServerChange } from '../definition.ts'
import type { Negotiated } from '../initialize.ts'
import { changeNotification } from '../notifications.ts'
import { unsubscribeAll } from '../subscriptions.ts'
import {
  stepOf,
  transition,
  type Eras,
  type SessionEvent,
  type SessionState,
} from './session-state.ts'
import type { RequestAnswers } from './stream-requests.ts'

/** What all peers of one service have in common. */
export interface SessionService extends ModernHost {
  readonly eras: Eras
  /** There will be no more requests. */
  readonly isDraining: boolean
  /** What is written in close succession may be read at once, so that progress keeps apart from the answer. */
  readonly keepsProgressApart: boolean
}

/** What the transport does for a session. */
export interface SessionTransport {
  /** Our requests to the client. */
  readonly requests: RequestAnswers
  /** Answers `initialize`. Absent where sessions are opened before they have a peer. */
  initialize?(request: Request, channel: RequestChannel): void
  /** The client has sent `notifications/initialized`; a promise where others have to know it first. */
  onInitialized(): MaybePromise<unknown>
  /** Where the answer to a request goes, if not straight to its channel. */
  responderFor?(request: Request, channel: RequestChannel): Responder
  /** Sends what belongs to no call. A change is told by every process, so none has to tell another. */
  notifySession(method: string, params?: JsonObject, isChange?: boolean): void
  /** Asks what belongs to no call. */
  requestOutsideCall(
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
  /** Set while the client reads slowly. Absent where each stream knows that for itself. */
  room?(): Promise<void> | undefined
  /** See `BackendChannel`. */
  countCalls?(): number
  countStreams?(): number
  dismiss?(why: string): void
  /** The client follows this URI, though it did not say so here. */
  isSubscribedElsewhere?(uri: string): boolean
  /** Cancels a request that is not worked on here. Absent where there is nowhere else. */
  cancelRemote?(id: RequestId, reason: string | undefined): MaybePromise<void>
}

/** Why calls are aborted when nobody is left to answer. */
export const clientGone = 'the client has gone'

/** Log messages beyond this are dropped and reported once. */
const logRate = { burst: 1_000, perSecond: 1_000 }

/**
 * The receiving side of one session, whatever transport its messages come by: a connection feeds it, and so does every
 * POST. Also what is remembered of the session. A class, because over HTTP there are many: what is going on is made when
 * it is needed and let go when it is over, so that an idle one is small.
 */
export class negotiatedState implements BackendClient, ClientState {
  readonly service: SessionService
  state: SessionState = { status: 'opening' }
  logLevel: LoggingLevel = 'info'
  sessionId: string | undefined
  /** What limits count by, if not the session itself. */
  account: string | undefined
  /** What is remembered for the session counts here. */
  memory: MemoryShare | undefined
  readonly transport: SessionTransport
  private agreed: Negotiated | undefined
  private ownCalls: CallsInFlight | undefined
  private ownSubscriptions: Set<string> | undefined
  private logBucket: TokenBucket | undefined
  private hasReportedDrop = false
  private onSessionEnd: SessionEnd | undefined

  constructor(host: SessionService, owner: SessionTransport) {
    this.service = host
    this.transport = owner
  }

  /** `initialize` was answered with this. */
  open({ client, codec, declared, backend }: Negotiated): void {
    this.agreed = { client, codec, declared, backend }
    backend?.attach(this)
    this.advance({ type: 'initialize-answered', codec })
  }

  /** Goes on with a session that was agreed on before. */
  resume(agreed: Negotiated, isReady: boolean): void {
    this.agreed = agreed
    agreed.backend?.attach(this)
    this.state = { status: isReady ? 'ready' : 'negotiated', codec: agreed.codec }
  }

  /** Lets an observer see how long the session lasts that was just agreed on. */
  observe(transport: TransportKind | undefined): void {
    const { observer } = this.service.definition.settings
    const { revision } = this.codec
    this.onSessionEnd = observer?.watchSession?.({ side: 'server', revision, transport })
  }

  /** Of a session that has been agreed on. */
  get negotiated(): Negotiated {
    if (this.agreed === undefined) throw new TypeError('the session has not been initialized')
    return this.agreed
  }

  get codec(): Codec {
    return this.negotiated.codec
  }

  /** The client has sent `notifications/initialized`. */
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
    return this.account ?? this.negotiated.client
  }

  /** URIs whose changes the client hears about. */
  get subscriptions(): Set<string> {
    this.ownSubscriptions ??= new Set()
    return this.ownSubscriptions
  }

  get hasSubscriptions(): boolean {
    return this.ownSubscriptions !== undefined && this.ownSubscriptions.size > 0
  }

  get calls(): CallsInFlight {
    const { definition, clock, limits, keepsProgressApart } = this.service
    this.ownCalls ??= new CallsInFlight(definition, clock, limits, keepsProgressApart)
    return this.ownCalls
  }

  /** How many requests are being worked on. */
  get count(): number {
    return this.ownCalls?.count ?? 0
  }

  advance(event: SessionEvent): void {
    this.state = transition(this.state, event)
  }

  hasCall(id: RequestId): boolean {
    return this.ownCalls?.has(id) ?? false
  }

  /** Starts a request, or answers it. `noRoom`: there was no room for its bytes. */
  request(
    request: Request,
    channel: RequestChannel,
    memory?: MemoryShare,
    overLimit?: RpcError,
  ): void {
    const { id } = request
    // Without the id: the answer to the first request with it must stay the only one.
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
        const refusal = noInitialize(request.params['protocolVersion'], supported)
        return channel.reject(id, encodeModernError(refusal))
      }
      case 'refuse-second-initialize':
      case 'refuse-before-initialize':
      case 'refuse-draining':
        return channel.reject(id, encodeWireError(rejectionFor(step, request.method)))
    }
  }

  /** The one place where notifications of a client are told apart. A promise where others have to hear of it first. */
  notification({ method, params }: Notification): MaybePromise<unknown> {
    if (!isClientNotification(method)) return this.agreed?.backend?.notification(method, params) // never answered
    switch (method) {
      case 'notifications/initialized':
        return this.state.status === 'negotiated' ? this.initialized() : undefined
      case 'notifications/cancelled':
        return this.cancel(params)
      case 'notifications/progress':
        return this.transport.requests.progressed(params)
      case 'notifications/roots/list_changed': // roots are asked for when they are needed
      case 'notifications/tasks/status': // and so is the state of a task
        return this.agreed?.backend?.notification(method, params)
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

  /** Something that is no message; without a channel it is answered elsewhere. */
  malformed(message: Malformed, channel?: RequestChannel): MaybePromise<void> {
    if (!message.isAnswerable) return this.transport.requests.unreadable(message)
    channel?.reject(message.id, encodeWireError(message.error))
  }

  /** Notifications and responses first, then the requests in turns. */
  batch(
    { members }: Batch,
    channel: RequestChannel,
    memory?: MemoryShare,
    overLimit?: RpcError,
  ): MaybePromise<unknown> {
    const refusal = batchRejection(members, this.agreed?.codec.has.batches ?? false)
    if (refusal) return channel.reject(undefined, encodeWireError(refusal))
    const { ids, refusals } = expectedOf(members, encodeWireError)
    const fresh = [...new Set(ids)].filter((id) => !this.hasCall(id))
    channel.openBatch(fresh, refusals)
    const heard = members.map((member) => this.receiveOther(member))
    const requests = members.filter((member) => member.kind === 'request')
    const resume = (): MaybePromise<void> =>
      inTurns(requests, (request) => {
        try {
          this.request(request, channel, memory, overLimit)
        } catch (error) {
          this.service.onError(error, { severity: 'error' }) // the others are received all the same
        }
      })
    return heard.some(isPromise) ? Promise.all(heard).then(resume) : resume()
  }

  private receiveOther(message: Message | Malformed): MaybePromise<unknown> {
    if (message.kind === 'notification') return this.notification(message)
    if (message.kind === 'result' || message.kind === 'error') return this.response(message)
    return undefined
  }

  /** Something changed at the server: the one place where clients of a session are told. */
  changed(change: ServerChange): void {
    if (!this.isReady) return
    const isWanted =
      change.type === 'resource'
        ? this.ownSubscriptions?.has(change.uri) ||
          this.transport.isSubscribedElsewhere?.(change.uri)
        : this.negotiated.declared[change.type]?.listChanged
    if (!isWanted) return
    const { method, params } = changeNotification(change)
    this.transport.notifySession(method, params, true)
  }

  /** False for a log message beyond the allowed rate. */
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

  /** See `CallsInFlight`. */
  timeOut(now: number): number {
    return this.ownCalls?.timeOut(now) ?? Infinity
  }

  /** Lets go of what was needed for things that are over. Only while no call is worked on. */
  freeMemory(): void {
    this.ownCalls = undefined
    this.logBucket = undefined
    if (!this.hasSubscriptions) this.ownSubscriptions = undefined
  }

  /** Ends the session: its calls are aborted, and nothing is remembered for it any more. */
  close(by: 'disconnect' | 'session', why: string, cause?: unknown): void {
    this.advance({ type: 'closed', cause })
    this.ownCalls?.abortAll(by, why)
    this.agreed?.backend?.close()
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
    const answers = this.transport.responderFor?.(request, channel) ?? channel
    this.calls.start(request, channel.caller, answers, memory)
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
      const refusal = this.calls.overload() ?? overLimit
      if (refusal) throw refusal
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
    this.ownCalls?.cancel(requestId, reason)
  }

  /** What may be told of an error. */
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
