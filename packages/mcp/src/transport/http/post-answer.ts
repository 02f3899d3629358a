import { batchExcess } from '../../rpc/bounded-batches.ts'
import type { OnError } from '../../rpc/errors/error-report.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { PreparedResponse, textOf, type PreparedJson } from '../../rpc/json/prepared-json.ts'
import { merge } from '../../rpc/merge.ts'
import type { RequestId, WireError } from '../../rpc/message.ts'
import type { PendingOptions } from '../../rpc/pending-requests.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { SharedTimer } from '../../rpc/time/shared-timer.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { Answers } from '../../server/calls/call.ts'
import type { CallerChannel } from '../../server/peer/session.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import type { Admitted } from './admission/admitted.ts'
import { errorResponse, headersOf, statusOf } from './admission/http-errors.ts'
import type { PostMessages } from './post-body.ts'
import type { HttpHeaders, StreamOutput } from './runtime/exchange.ts'
import type { HttpSession, OpenAnswer } from './sessions/http-session.ts'
import { afterStore } from './sessions/store-access.ts'
import type { EventStream } from './streams/event-stream.ts'
import { streamHeaders } from './streams/sse-event.ts'
import { defaultRetryMs } from './streams/stream-connection.ts'
import type { Trace } from './trace.ts'

export interface PostAnswerOptions {
  readonly host: PostAnswerHost
  readonly admitted: Pick<Admitted, 'exchange' | 'caller' | 'headers'>
  readonly session: HttpSession
  /** Of the body: every request with an id of its own, and errors of what else there was. An array is answered with one. */
  readonly messages: Pick<PostMessages, 'requests' | 'errors' | 'isBatch'>
  readonly headers: HttpHeaders
  /** Every request of this POST has been answered or given up. */
  readonly onDone?: (() => void) | undefined
}

/** What the answers of one endpoint have in common. */
export interface PostAnswerHost {
  readonly clock: Clock
  /** Work that takes longer gets an event stream, so that no proxy takes it for dead. */
  readonly streamAfter: SharedTimer
  /** Work goes on for `detachedMs` without anybody to answer to. */
  readonly settings: { readonly detachedMs: number }
  readonly limits: { readonly batchBytes: number }
  readonly trace: Trace
  readonly onError: OnError
}

/**
 * The answer to one POST: plain JSON, unless something must be sent before the result; then an event stream. What
 * belongs to the calls of this request goes here and nowhere else. A class, because one is made for every request.
 */
export class PostAnswer implements Answers, CallerChannel, OpenAnswer {
  place = -1
  hasBegun = false
  private readonly options: PostAnswerOptions
  private readonly open = new Set<RequestId>()
  private readonly replies: (string | PreparedResponse)[]
  private replyLength = 0
  private refusal: { readonly status: number; readonly error: WireError } | undefined
  private stream: EventStream | undefined
  private output: StreamOutput | undefined
  private isGone = false
  private absence: Disposable | undefined
  private readonly streamAfter: Disposable | undefined

  constructor(options: PostAnswerOptions) {
    const { admitted, session, messages, host } = options
    this.options = options
    for (const { id } of messages.requests) this.open.add(id)
    this.replies = messages.errors.map(({ id, error }) => JSON.stringify(errorResponse(id, error)))
    this.streamAfter = admitted.headers.accepts.events
      ? host.streamAfter.after(() => void this.becomeStream())
      : undefined
    admitted.exchange.onGone(() => this.leave())
    session.answers.add(this)
  }

  room(): Promise<void> | undefined {
    return this.stream?.room
  }

  hasSpace(): boolean {
    return this.stream?.hasSpace ?? true
  }

  release(retryMs = defaultRetryMs): void {
    if (this.options.session.canPoll) this.becomeStream()?.release(retryMs)
  }

  reply(id: RequestId, response: RawMessage): void {
    this.take(id, textOf(response))
  }

  replyJson(id: RequestId, json: PreparedJson): void {
    this.take(id, new PreparedResponse(id, json))
  }

  refuse(id: RequestId | undefined, error: WireError): void {
    if (id !== undefined) this.refuseAs(statusOf(error), id, error)
  }

  /** Refuses a request with a status of its own. */
  refuseAs(status: number, id: RequestId, error: WireError): void {
    this.refusal = { status, error }
    this.take(id, JSON.stringify(errorResponse(id, error)))
  }

  /** Nobody has answered it yet. */
  isOpen(id: RequestId): boolean {
    return this.open.has(id)
  }

  forget(id: RequestId): void {
    this.take(id)
  }

  /** Nobody will answer what is left. */
  giveUp(error: RpcError): void {
    const wireError = encodeWireError(error)
    for (const id of this.open) this.refuseAs(statusOf(wireError), id, wireError)
  }

  notify(method: string, params?: JsonObject): void {
    // Whoever misses one report of progress sees it in the next.
    if (method === 'notifications/progress' && this.stream?.hasSpace === false) return
    try {
      const text = JSON.stringify({ jsonrpc: '2.0', method, params })
      this.becomeStream()?.send(text)
    } catch (error) {
      this.options.host.onError(error, { severity: 'error' }) // it has no JSON; the call goes on
    }
  }

  tell(method: string, params: JsonObject): void {
    this.options.session.tell({ jsonrpc: '2.0', method, params })
  }

  request(
    method: string,
    params: JsonObject | undefined,
    requestOptions: PendingOptions,
  ): Promise<JsonObject> {
    const way = this.becomeStream()
    if (way === undefined) return Promise.reject(noWayBack(method))
    return this.options.session.ask(way, method, params, requestOptions)
  }

  private leave(): void {
    this.isGone = true
    if (this.stream === undefined) this.watchAbsence(false)
    else if (this.output) this.stream.detach(this.output)
  }

  /** Gone is not cancelled in these revisions, but it ends. */
  private watchAbsence(isHere: boolean): void {
    this.absence?.[Symbol.dispose]()
    this.absence = undefined
    if (isHere || this.open.size === 0) return
    this.giveUpAfter(this.options.host.settings.detachedMs)
  }

  private giveUpAfter(ms: number): void {
    this.absence = this.options.host.clock.setTimer(() => {
      void afterStore(
        () => this.stream?.readAgoMs(),
        (agoMs) => this.giveUpUnlessRead(agoMs),
        () => this.giveUpUnlessRead(0),
      )
    }, ms)
  }

  /** Somebody may read it at another process. */
  private giveUpUnlessRead(agoMs: number | undefined): void {
    if (this.absence === undefined) return
    const restMs = this.options.host.settings.detachedMs - (agoMs ?? Infinity)
    if (restMs > 0) this.giveUpAfter(restMs)
    else this.cancelAll('the client has gone')
  }

  private cancelAll(why: string): void {
    for (const id of this.open) this.options.session.calls.cancel(id, why)
  }

  /** Undefined for a caller that cannot read events, or left before there was one to resume from. */
  private becomeStream(): EventStream | undefined {
    const { admitted, session, headers } = this.options
    const isLate = this.isGone || this.open.size === 0
    if (this.stream !== undefined || !admitted.headers.accepts.events || isLate) return this.stream
    const stream = session.streams.create({
      onReader: (isHere) => this.watchAbsence(isHere),
      onFenced: () => this.cancelAll('another process took this stream over'),
    })
    this.stream = stream
    this.output = admitted.exchange.openStream({ ...headers, ...streamHeaders })
    stream.attach(this.output)
    this.hasBegun = true
    for (const reply of this.replies.splice(0)) stream.send(textOf(reply))
    return stream
  }

  private take(id: RequestId, reply?: string | PreparedResponse): void {
    if (!this.options.admitted.headers.accepts.json && !this.isRefused()) this.becomeStream()
    if (!this.open.delete(id)) return
    try {
      if (reply !== undefined) this.keep(id, reply)
      if (this.open.size === 0) this.finish()
    } finally {
      if (this.open.size === 0) this.options.onDone?.() // whatever became of the answer
    }
  }

  /** Answers of a batch that have no place any more become errors, so that it is answered whatever they are. */
  private keep(id: RequestId, reply: string | PreparedResponse): void {
    if (this.stream) return this.stream.send(textOf(reply))
    const { messages, host } = this.options
    const length = messages.isBatch ? lengthOf(reply) : 0
    const excess = batchExcess(this.replyLength + length, host.limits.batchBytes)
    if (excess === undefined) {
      this.replyLength += length
      this.replies.push(reply)
    } else this.replies.push(JSON.stringify(errorResponse(id, encodeWireError(excess))))
  }

  /** Who reads events only can still be refused by a status. */
  private isRefused(): boolean {
    const { refusal, options } = this
    return refusal !== undefined && refusal.status !== 200 && options.messages.requests.length === 1
  }

  private finish(): void {
    this.streamAfter?.[Symbol.dispose]()
    this.absence?.[Symbol.dispose]()
    this.options.session.answers.delete(this)
    if (this.stream) return this.stream.end()
    if (!this.isGone) this.respond()
  }

  private respond(): void {
    const { replies, refusal } = this
    const { admitted, headers, messages, host } = this.options
    const { exchange, caller } = admitted
    const { isBatch } = messages
    const [first] = replies
    if (first === undefined) return exchange.respond(202, headers)
    for (const reply of replies) host.trace('out', reply)
    const body = isBatch ? `[${replies.map(textOf).join(',')}]` : first
    replies.length = 0 // whoever still knows us does not need them
    const json = { 'content-type': 'application/json', ...headers }
    if (refusal === undefined || isBatch) return exchange.respond(200, json, body)
    const { status, error } = refusal
    const more = caller.challengeFor(status, error) ?? headersOf(status, error)
    exchange.respond(status, merge(json, more), body)
  }
}

function lengthOf(reply: string | PreparedResponse): number {
  return typeof reply === 'string' ? reply.length : reply.before.length + reply.json.text.length + 1
}

function noWayBack(method: string): RpcError {
  const why = `${method}: this caller has no event stream to be asked on`
  return new RpcError('missing_client_capability', why, { data: { requiredCapabilities: {} } })
}
