/**
 * The response to one POST: plain JSON, or an event stream from the first message that is not the result.
 *
 * Decides only how to send. The calls belong to the `ServerSession` or to `StandaloneRequests`, which create one for each POST; the
 * body is read by `post-request.ts`; event ids and resuming belong to `EventStream`. What a client may ask is settled before.
 *
 * Guarantees: at most one response per request id; nothing is written after the end; a client that disconnects cancels its calls
 * unless it can resume the stream.
 */
import { batchExcess } from '../../rpc/batches.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { PreparedResponse, textOf, type PreparedJson } from '../../rpc/json/json-text.ts'
import { merge } from '../../rpc/merge.ts'
import {
  errorResponse,
  type Batch,
  type Request,
  type RequestId,
  type WireError,
} from '../../rpc/message.ts'
import type { PendingOptions } from '../../rpc/pending-requests.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { ShortLivedList } from '../../rpc/short-lived.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Call } from '../../server/calls/call.ts'
import type { Caller, RequestAuth, RequestChannel } from '../../server/calls/caller.ts'
import { clientDisconnected, type ServerSession } from '../../server/sessions/server-session.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import { authorizationRevoked } from './admission/authorizations.ts'
import { headersOf } from './admission/http-errors.ts'
import type { AdmittedRequest, QuotaKey } from './admitted-request.ts'
import type { EndpointService } from './endpoint-service.ts'
import { httpOf, type HttpHeaders, type StreamOutput } from './runtime/exchange.ts'
import { afterStore } from './sessions/store-access.ts'
import type { EventStream, StreamEvents } from './streams/event-stream.ts'
import { streamHeaders, defaultRetryMs } from './streams/sse.ts'

/** The side that created a responder: an HTTP session, or requests without a session. */
export interface ResponderOwner {
  /** Responders with unanswered requests. */
  readonly openResponders: ShortLivedList<HttpResponder>
  /** True if the client can reconnect to a stream that the server closed early. */
  readonly canPoll: boolean
  /** How long a call continues after its client disconnects. 0 cancels it at once. */
  readonly detachedMs: number
  createStream(events: StreamEvents, about?: string): EventStream
  /** Describes unanswered requests, so that another process can answer them if this one dies. Absent without a cluster. */
  describeRequests?(ids: Iterable<RequestId>): string | undefined
  /** The HTTP status of a response that is a single error. */
  statusOf(error: WireError): number
  cancel(id: RequestId, why: string, answer: HttpResponder, by?: 'fenced'): void
  /** Sends a notification that belongs to no request. Absent if the client has no stream for it. */
  notifySession?(method: string, params: JsonObject): void
  /** Sends a request to the client. Absent in revisions without server requests. */
  sendRequest?(
    stream: EventStream,
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
}

export interface ResponderOptions {
  readonly service: Pick<
    EndpointService,
    'authorizations' | 'clock' | 'streamAfter' | 'limits' | 'trace' | 'onError'
  >
  readonly request: Pick<AdmittedRequest, 'exchange' | 'caller' | 'headers' | 'cors'>
  readonly owner: ResponderOwner
  /** Response headers for every status. @defaultValue the CORS headers */
  readonly headers?: HttpHeaders | undefined
  /** Called once, when every request of this POST was answered or cancelled. */
  readonly onDone?: ((answer: HttpResponder) => void) | undefined
}

/**
 * The answer to one POST: plain JSON, unless something must be sent before the result; then an event stream. What
 * belongs to the calls of this request goes here and nowhere else. A class, because one is made for every request.
 */
export class HttpResponder implements RequestChannel {
  /** The call, if the POST holds a single modern request. */
  call: Call | undefined
  /** Runs the calls of the POST, unless it is a modern request. */
  readonly session: ServerSession | undefined
  caller: Caller | undefined
  readonly sender: RequestAuth
  private readonly options: ResponderOptions
  private readonly headers: HttpHeaders
  private readonly unanswered = new Set<RequestId>()
  private readonly replies: (string | PreparedResponse)[] = []
  /** Set if the body is a JSON array; the response is an array too. */
  private batch: 'of-requests' | 'of-none' | undefined
  /** True while messages of the batch are still being received. */
  private isReceivingBatch = false
  private batchLength = 0
  private rejection: { readonly status: number; readonly error: WireError } | undefined
  private stream: EventStream | undefined
  private output: StreamOutput | undefined
  private isClientDisconnected = false
  private detachTimer: Disposable | undefined
  private readonly streamTimer: Disposable | undefined
  private readonly revocation: Disposable | undefined

  /** Pass the id of a single request; for a batch, call `openBatch` afterwards. */
  constructor(options: ResponderOptions, id?: RequestId, session?: ServerSession) {
    this.session = session
    const { request, owner, service } = options
    const { auth, authorize } = request.caller
    this.options = options
    this.headers = options.headers ?? request.cors
    this.sender = { http: httpOf(request.exchange), auth, authorize }
    if (id !== undefined) this.unanswered.add(id)
    this.streamTimer = request.headers.accepts.events
      ? service.streamAfter.after(() => void this.openStream())
      : undefined
    const { authorizations } = service
    this.revocation = authorizations.canRevoke
      ? authorizations.watchRevoked(auth, () => this.onRevoked())
      : undefined
    owner.openResponders.add(this)
    request.exchange.onClosed(() => this.onClientDisconnected())
  }

  /** True once an event stream is open: the HTTP status can no longer change. */
  get isStreaming(): boolean {
    return this.stream !== undefined
  }

  /** The key that limits count by. */
  get quotaKey(): QuotaKey {
    return this.options.request.caller.quotaKey
  }

  drained(): Promise<void> | undefined {
    return this.stream?.drained
  }

  hasSpace(): boolean {
    return this.stream?.hasSpace ?? true
  }

  release(retryMs = defaultRetryMs): void {
    if (this.options.owner.canPoll) this.openStream()?.release(retryMs)
  }

  reply(id: RequestId, response: RawMessage): string {
    const text = typeof response === 'string' ? response : JSON.stringify(response)
    this.finish(id, text)
    return text
  }

  replyJson(id: RequestId, json: PreparedJson): void {
    this.finish(id, new PreparedResponse(id, json))
  }

  reject(id: RequestId | undefined, error: WireError): void {
    const status = this.options.owner.statusOf(error)
    if (id !== undefined) return this.rejectWithStatus(status, id, error)
    const reply = JSON.stringify(errorResponse(undefined, error))
    if (this.batch) return this.send(reply)
    this.rejection = { status, error }
    this.replies.push(reply)
    this.discard()
    this.respond()
  }

  /** Rejects with 429, because it is the caller's own limit; 503 would blame the server. */
  rejectBusy(id: RequestId | undefined, error: WireError): void {
    if (id !== undefined) this.rejectWithStatus(429, id, error)
  }

  openBatch(ids: readonly RequestId[], rejections: readonly object[]): void {
    this.batch = ids.length === 0 ? 'of-none' : 'of-requests'
    this.isReceivingBatch = true
    for (const id of ids) this.unanswered.add(id)
    for (const rejection of rejections) this.replies.push(JSON.stringify(rejection))
  }

  /** Called when every message of the batch has been received. */
  closeBatch(): void {
    if (!this.isReceivingBatch) return // it was refused as a whole
    this.isReceivingBatch = false
    if (this.unanswered.size === 0) this.end()
  }

  /** Drops all requests, because the response is written elsewhere. */
  discard(): void {
    this.unanswered.clear()
    this.stopTimers()
    this.options.onDone?.(this)
  }

  /** Rejects a request with this HTTP status, unless a stream is open already. */
  rejectWithStatus(status: number, id: RequestId, error: WireError): void {
    this.rejection = { status, error }
    this.finish(id, JSON.stringify(errorResponse(id, error)))
  }

  /** True until the request is answered or cancelled. */
  isUnanswered(id: RequestId): boolean {
    return this.unanswered.has(id)
  }

  forget(id: RequestId): void {
    this.finish(id)
  }

  /** Responds to all open requests with an error, for example when the session ends. */
  failAll(error: RpcError): void {
    const wireError = encodeWireError(error)
    for (const id of this.unanswered) this.reject(id, wireError)
  }

  notify(method: string, params?: JsonObject): void {
    // The next progress notification makes up for one that is dropped.
    if (method === 'notifications/progress' && this.stream?.hasSpace === false) return
    try {
      const text = JSON.stringify({ jsonrpc: '2.0', method, params })
      this.openStream()?.send(text)
    } catch (error) {
      this.options.service.onError(error, { severity: 'error' }) // it has no JSON; the call goes on
    }
  }

  notifySession(method: string, params: JsonObject): void {
    this.options.owner.notifySession?.(method, params)
  }

  request(
    method: string,
    params: JsonObject | undefined,
    requestOptions: PendingOptions,
  ): Promise<JsonObject> {
    const { owner } = this.options
    const stream = owner.sendRequest && this.openStream()
    if (owner.sendRequest && stream)
      return owner.sendRequest(stream, method, params, requestOptions)
    return Promise.reject(noStreamFor(method))
  }

  private onClientDisconnected(): void {
    this.isClientDisconnected = true
    if (this.stream === undefined) this.onReaderChange(false)
    else if (this.output) this.stream.detach(this.output)
  }

  /** Starts or stops the time that calls continue without a reader. */
  private onReaderChange(isHere: boolean): void {
    this.detachTimer?.[Symbol.dispose]()
    this.detachTimer = undefined
    if (isHere || this.unanswered.size === 0) return
    const { detachedMs } = this.options.owner
    if (detachedMs > 0) this.cancelAfter(detachedMs)
    else this.cancelAll('the client closed the stream')
  }

  private cancelAfter(ms: number): void {
    this.detachTimer = this.options.service.clock.setTimer(() => {
      void afterStore(
        () => this.stream?.lastRead(),
        (last) => this.cancelUnlessRead(last?.agoMs),
        () => this.cancelUnlessRead(0),
      )
    }, ms)
  }

  /** Checks first whether the client reads the stream at another process. */
  private cancelUnlessRead(agoMs: number | undefined): void {
    if (this.detachTimer === undefined) return
    const restMs = this.options.owner.detachedMs - (agoMs ?? Infinity)
    if (restMs > 0) this.cancelAfter(restMs)
    else this.cancelAll(clientDisconnected)
  }

  /** Rejects and cancels all open requests: the credential of the caller was revoked. */
  private onRevoked(): void {
    const error = encodeWireError(new RpcError('unauthorized', authorizationRevoked))
    for (const id of this.unanswered) {
      this.rejectWithStatus(401, id, error)
      this.options.owner.cancel(id, authorizationRevoked, this)
    }
  }

  private cancelAll(why: string, by?: 'fenced'): void {
    for (const id of this.unanswered) this.options.owner.cancel(id, why, this, by)
  }

  /**
   * The only place where an answer becomes an event stream. Undefined for a caller that cannot read events, or left
   * before there was one to resume from.
   */
  private openStream(): EventStream | undefined {
    const { request, owner } = this.options
    const isLate = this.isClientDisconnected || this.unanswered.size === 0
    if (this.stream !== undefined || !request.headers.accepts.events || isLate) return this.stream
    const events: StreamEvents = {
      onReader: (isHere) => this.onReaderChange(isHere),
      onFenced: (why) => this.cancelAll(why, 'fenced'),
    }
    const stream = owner.createStream(events, owner.describeRequests?.(this.unanswered))
    this.stream = stream
    this.output = request.exchange.openStream({ ...this.headers, ...streamHeaders })
    stream.attach(this.output)
    for (const reply of this.replies.splice(0)) stream.send(textOf(reply))
    return stream
  }

  private finish(id: RequestId, reply?: string | PreparedResponse): void {
    if (!this.options.request.headers.accepts.json && !this.isRejected()) this.openStream()
    if (!this.unanswered.delete(id)) return
    try {
      if (reply !== undefined) this.send(this.batch ? this.limitToBatch(id, reply) : reply)
    } finally {
      if (this.unanswered.size === 0 && !this.isReceivingBatch) this.end()
    }
  }

  private send(reply: string | PreparedResponse): void {
    if (this.stream)
      this.stream.send(textOf(reply), this.options.owner.describeRequests?.(this.unanswered))
    else this.replies.push(reply)
  }

  private end(): void {
    try {
      this.stopTimers()
      if (this.stream) this.stream.end()
      else if (!this.isClientDisconnected) this.respond()
    } finally {
      this.options.onDone?.(this) // whatever became of the answer
    }
  }

  /** Replaces a reply that exceeds `limits.batchBytes` with an error, so that the rest of the batch is still answered. */
  private limitToBatch(id: RequestId, reply: string | PreparedResponse): string | PreparedResponse {
    if (this.stream) return reply
    const length = this.batchLength + lengthOf(reply)
    const excess = batchExcess(length, this.options.service.limits.batchBytes)
    if (excess) return JSON.stringify(errorResponse(id, encodeWireError(excess)))
    this.batchLength = length
    return reply
  }

  /** True if the response is an error with its own HTTP status. A client that accepts only events still gets that. */
  private isRejected(): boolean {
    const { rejection, batch } = this
    return rejection !== undefined && rejection.status !== 200 && batch === undefined
  }

  private stopTimers(): void {
    this.streamTimer?.[Symbol.dispose]()
    this.revocation?.[Symbol.dispose]()
    this.detachTimer?.[Symbol.dispose]()
    this.options.owner.openResponders.delete(this)
  }

  private respond(): void {
    const { replies, rejection, headers, batch } = this
    const { request, service } = this.options
    const { exchange, caller } = request
    const [first] = replies
    if (first === undefined) return exchange.respond(202, headers)
    for (const reply of replies) service.trace?.('out', reply)
    const body = batch ? `[${replies.map(textOf).join(',')}]` : first
    replies.length = 0 // frees the text while the response is being sent
    const json = { 'content-type': 'application/json', ...headers }
    if (batch) return exchange.respond(batch === 'of-none' ? 400 : 200, json, body)
    if (rejection === undefined) return exchange.respond(200, json, body)
    const { status, error } = rejection
    const more = caller.challengeFor(status, error) ?? headersOf(status, error)
    exchange.respond(status, merge(json, more), body)
  }
}

function lengthOf(reply: string | PreparedResponse): number {
  return typeof reply === 'string' ? reply.length : reply.before.length + reply.json.text.length + 1
}

function noStreamFor(method: string): RpcError {
  const why = `${method} needs an event stream: the request must accept text/event-stream`
  return new RpcError('missing_client_capability', why, { data: { requiredCapabilities: {} } })
}

/** Starts the requests of a POST in a session, and responds when all are answered. */
export function respondToRequests(
  decoded: Request | Batch,
  session: ServerSession,
  options: ResponderOptions & { readonly request: AdmittedRequest },
): MaybePromise<void> {
  const { memory } = options.request
  if (decoded.kind === 'request') {
    return session.request(decoded, new HttpResponder(options, decoded.id, session), memory)
  }
  const responder = new HttpResponder(options, undefined, session)
  const fed = session.batch(decoded, responder, memory)
  if (!isPromise(fed)) return responder.closeBatch()
  return fed.then(
    () => responder.closeBatch(),
    (error: unknown) => {
      responder.discard()
      throw error
    },
  )
}

export function countRequests(decoded: Request | Batch): number {
  if (decoded.kind === 'request') return 1
  return decoded.members.filter(({ kind }) => kind === 'request').length
}
