import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/error-report.ts'
import { merge } from '../../rpc/merge.ts'
import type { RequestId, WireError } from '../../rpc/message.ts'
import { RpcError } from '../../rpc/rpc-error.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { Answers } from '../../server/call.ts'
import type { CallerChannel } from '../../server/session.ts'
import { encodeWireError } from '../../wire/error-codes.ts'
import type { EventStream } from './event-stream.ts'
import type { HttpExchange, HttpHeaders, StreamOutput } from './exchange.ts'
import { errorResponse, headersOf, statusOf } from './http-errors.ts'
import type { HttpSession } from './http-session.ts'
import type { Lateness } from './lateness.ts'
import type { Accepts } from './media-type.ts'
import type { Permission } from './permission.ts'
import { streamHeaders } from './sse-event.ts'
import { afterStore } from './store-access.ts'
import { defaultRetryMs } from './stream-connection.ts'
import type { Trace } from './trace.ts'

export interface PostAnswerOptions {
  readonly exchange: HttpExchange
  readonly session: HttpSession
  readonly accepts: Accepts
  /** The requests of the body, each once. */
  readonly ids: readonly RequestId[]
  /** Errors of what else the body had. */
  readonly errors: readonly WireErrorOf[]
  /** The body was an array: so is the answer. */
  readonly isBatch: boolean
  readonly headers: HttpHeaders
  readonly permission: Permission | undefined
  readonly clock: Clock
  /** Work that takes longer gets an event stream, so that no proxy takes it for dead. */
  readonly patience: Lateness
  /** Work goes on for so long without anybody to answer to. */
  readonly detachedMs: number
  readonly trace: Trace
  readonly onError: OnError
  /** Every request of this POST has been answered or given up. */
  readonly onDone: () => void
}

/** An error, and the id of what it answers where that could be read. */
export interface WireErrorOf {
  readonly id?: RequestId | undefined
  readonly error: WireError
}

/**
 * The answer to one POST: plain JSON, unless something must be sent before the result; then an event stream. What
 * belongs to the calls of this request goes here and nowhere else.
 */
export interface PostAnswer extends Answers, CallerChannel {
  /** Refuses a request with a status of its own. */
  refuseAs(status: number, id: RequestId, error: WireError): void
  /** Nobody will answer what is left. */
  giveUp(error: RpcError): void
}

export function createPostAnswer(options: PostAnswerOptions): PostAnswer {
  const { exchange, session, accepts, isBatch, clock, trace } = options
  const open = new Set(options.ids)
  const replies = options.errors.map(({ id, error }) => JSON.stringify(errorResponse(id, error)))
  let refusal: { readonly status: number; readonly error: WireError } | undefined
  let stream: EventStream | undefined
  let output: StreamOutput | undefined
  let isGone = false
  let absence: Disposable | undefined
  const patience = accepts.events ? options.patience.after(() => void becomeStream()) : undefined

  exchange.onGone(() => {
    isGone = true
    if (stream === undefined) watchAbsence(false)
    else if (output) stream.detach(output)
  })

  /** Gone is not cancelled in these revisions, but it ends. */
  function watchAbsence(isHere: boolean): void {
    absence?.[Symbol.dispose]()
    absence = undefined
    if (isHere || open.size === 0) return
    giveUpAfter(options.detachedMs)
  }

  function giveUpAfter(ms: number): void {
    absence = clock.setTimer(() => {
      void afterStore(
        () => stream?.readAgoMs(),
        giveUpUnlessRead,
        () => giveUpUnlessRead(0),
      )
    }, ms)
  }

  /** Somebody may read it at another process. */
  function giveUpUnlessRead(agoMs: number | undefined): void {
    if (absence === undefined) return
    const restMs = options.detachedMs - (agoMs ?? Infinity)
    if (restMs > 0) giveUpAfter(restMs)
    else cancelAll('the client has gone')
  }

  function cancelAll(why: string): void {
    for (const id of open) session.calls.cancel(id, why)
  }

  /** Undefined for a caller that cannot read events, or left before there was one to resume from. */
  function becomeStream(): EventStream | undefined {
    if (stream !== undefined || !accepts.events || isGone || open.size === 0) return stream
    stream = session.streams.create({
      onReader: watchAbsence,
      onFenced: () => cancelAll('another process took this stream over'),
    })
    output = exchange.openStream({ ...options.headers, ...streamHeaders })
    stream.attach(output)
    answer.hasBegun = true
    for (const text of replies.splice(0)) stream.send(text)
    return stream
  }

  function take(id: RequestId, text?: string): void {
    if (!accepts.json && !isRefused()) becomeStream()
    if (!open.delete(id)) return
    if (text !== undefined) {
      if (stream) stream.send(text)
      else replies.push(text)
    }
    if (open.size > 0) return
    finish()
    options.onDone()
  }

  /** Who reads events only can still be refused by a status. */
  function isRefused(): boolean {
    return refusal !== undefined && refusal.status !== 200 && options.ids.length === 1
  }

  function finish(): void {
    patience?.[Symbol.dispose]()
    absence?.[Symbol.dispose]()
    session.answers.delete(answer)
    if (stream) return stream.end()
    if (isGone) return
    const [first] = replies
    if (first === undefined) return exchange.respond(202, options.headers)
    for (const text of replies) trace('out', text)
    const body = isBatch ? `[${replies.join(',')}]` : first
    const json = { 'content-type': 'application/json', ...options.headers }
    if (refusal === undefined || isBatch) return exchange.respond(200, json, body)
    const { status, error } = refusal
    const more = options.permission?.challengeFor(status, error) ?? headersOf(status, error)
    exchange.respond(status, merge(json, more), body)
  }

  function refuseAs(status: number, id: RequestId, error: WireError): void {
    refusal = { status, error }
    take(id, JSON.stringify(errorResponse(id, error)))
  }

  const answer: PostAnswer & { hasBegun: boolean } = {
    room: () => stream?.room,
    hasBegun: false, // no getter: in a literal that is made for every request, one costs microseconds
    hasSpace: () => stream?.hasSpace ?? true,
    release(retryMs = defaultRetryMs) {
      if (session.canPoll) becomeStream()?.release(retryMs)
    },
    reply: (id, response) => take(id, toText(response)),
    refuse(id, error) {
      if (id !== undefined) refuseAs(statusOf(error), id, error)
    },
    refuseAs,
    forget: (id) => take(id),
    giveUp(error) {
      const wireError = encodeWireError(error)
      for (const id of open) refuseAs(statusOf(wireError), id, wireError)
    },
    notify(method, params) {
      // Whoever misses one report of progress sees it in the next.
      if (method === 'notifications/progress' && stream?.hasSpace === false) return
      try {
        const text = JSON.stringify({ jsonrpc: '2.0', method, params })
        becomeStream()?.send(text)
      } catch (error) {
        options.onError(error, { severity: 'error' }) // it has no JSON; the call goes on
      }
    },
    tell: (method, params) => session.tell({ jsonrpc: '2.0', method, params }),
    request(method, params, requestOptions) {
      const way = becomeStream()
      if (way === undefined) return Promise.reject(noWayBack(method))
      return session.ask(way, method, params, requestOptions)
    },
  }
  session.answers.add(answer)
  return answer
}

function toText(message: RawMessage): string {
  return typeof message === 'string' ? message : JSON.stringify(message)
}

function noWayBack(method: string): RpcError {
  const why = `${method}: this caller has no event stream to be asked on`
  return new RpcError('missing_client_capability', why, { data: { requiredCapabilities: {} } })
}
