import type { OnError } from '../../rpc/errors/error-report.ts'
import { PreparedResponse, textOf, type PreparedJson } from '../../rpc/json/prepared-json.ts'
import { merge } from '../../rpc/merge.ts'
import type { RequestId, WireError } from '../../rpc/message.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { SharedTimer } from '../../rpc/time/shared-timer.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { Answers, Call } from '../../server/calls/call.ts'
import type { CallerChannel } from '../../server/peer/session.ts'
import { errorResponse, headersOf, statusOf } from './admission/http-errors.ts'
import type { RequestCaller } from './admission/request-caller.ts'
import type { Accepts } from './admission/request-headers.ts'
import type { HttpExchange, HttpHeaders, StreamOutput } from './runtime/exchange.ts'
import { createKeepAlive, type KeepAlive } from './streams/keep-alive.ts'
import { watchSlowReader } from './streams/slow-reader.ts'
import { encodeEvent, keepAliveComment, streamHeaders } from './streams/sse-event.ts'
import type { Trace } from './trace.ts'

export interface StandaloneAnswerOptions {
  readonly clock: Clock
  /** Work that takes longer gets an event stream, so that no proxy takes it for dead. */
  readonly streamAfter: SharedTimer
  readonly keepAliveMs: number
  readonly bufferedBytes: number
  readonly trace: Trace
  readonly onError: OnError
  /** Nobody waits for it any more. */
  readonly onOver: (answer: StandaloneAnswer) => void
}

/**
 * The answer to one request that stands for itself: JSON, or events if something must be sent before the result. There
 * is nothing to resume, and who closes it has cancelled. A class, because one is made for every request.
 */
export class StandaloneAnswer implements Answers, CallerChannel {
  /** Among those of the endpoint. */
  place = -1
  /** What it is the answer to, once that has begun. */
  call: Call | undefined
  /** When its caller may listen no longer. */
  expiry: Disposable | undefined
  private readonly exchange: HttpExchange
  private readonly accepts: Accepts
  private readonly headers: HttpHeaders
  private readonly options: StandaloneAnswerOptions
  readonly caller: RequestCaller
  private output: StreamOutput | undefined
  private isTooSlow: (() => boolean) | undefined
  private keepAlive: KeepAlive | undefined
  private streamAfter: Disposable | undefined
  private isOver = false

  constructor(
    exchange: HttpExchange,
    accepts: Accepts,
    headers: HttpHeaders,
    options: StandaloneAnswerOptions,
    caller: RequestCaller,
  ) {
    this.exchange = exchange
    this.accepts = accepts
    this.headers = headers
    this.options = options
    this.caller = caller
    if (accepts.events) this.streamAfter = options.streamAfter.after(() => void this.openStream())
    exchange.onGone(() => this.cancel())
  }

  get hasBegun(): boolean {
    return this.output !== undefined
  }

  get isStream(): boolean {
    return this.output !== undefined && !this.isOver
  }

  room(): Promise<void> | undefined {
    return this.output?.room
  }

  hasSpace(): boolean {
    return this.output === undefined || this.output.bufferedBytes < this.options.bufferedBytes
  }

  notify(method: string, params?: JsonObject): void {
    try {
      this.send(JSON.stringify({ jsonrpc: '2.0', method, params }))
    } catch (error) {
      this.options.onError(error, { severity: 'error' }) // it has no JSON; the call goes on
    }
  }

  async request(method: string): Promise<JsonObject> {
    throw new TypeError(`${method}: a server of this revision sends no requests`)
  }

  reply(_id: RequestId, response: RawMessage): void {
    this.finish(textOf(response), 200)
  }

  replyJson(id: RequestId, json: PreparedJson): void {
    this.finish(new PreparedResponse(id, json), 200)
  }

  refuse(id: RequestId | undefined, error: WireError): void {
    this.refuseAs(standaloneStatus(error), id, error)
  }

  /** Refuses with a status of its own, unless a stream has begun. */
  refuseAs(status: number, id: RequestId | undefined, error: WireError): void {
    const more = this.caller.challengeFor(status, error) ?? headersOf(status, error)
    this.finish(JSON.stringify(errorResponse(id, error)), status, more)
  }

  forget(): void {
    if (this.isOver) return
    this.stop()
    if (this.output) this.output.end()
    else this.exchange.respond(202, this.headers)
  }

  /** The caller has gone before the end. */
  private cancel(): void {
    if (this.isOver) return
    this.stop()
    this.call?.abort('disconnect', 'the client closed the stream')
  }

  private finish(reply: string | PreparedResponse, status: number, more?: HttpHeaders): void {
    if (this.isOver) return
    if (status === 200 && !this.accepts.json) this.openStream()
    if (this.output) this.send(textOf(reply))
    else {
      this.options.trace('out', reply)
      const json = { 'content-type': 'application/json', ...this.headers }
      this.exchange.respond(status, more === undefined ? json : merge(json, more), reply)
    }
    this.stop()
    this.output?.end()
  }

  private send(json: string): void {
    const output = this.openStream()
    if (output === undefined) return // a caller that reads no events hears nothing before its result
    this.options.trace('out', json)
    if (this.isTooSlow?.()) return output.destroy() // which is as if it had gone
    output.write(encodeEvent(json))
    this.keepAlive?.touch()
  }

  private openStream(): StreamOutput | undefined {
    if (this.output !== undefined || this.isOver || !this.accepts.events) return this.output
    const { clock, keepAliveMs, bufferedBytes } = this.options
    const output = this.exchange.openStream({ ...this.headers, ...streamHeaders })
    this.output = output
    this.isTooSlow = watchSlowReader(output, bufferedBytes, clock)
    this.keepAlive = createKeepAlive(clock, keepAliveMs, () => output.write(keepAliveComment))
    return output
  }

  private stop(): void {
    this.isOver = true
    this.options.onOver(this)
    this.streamAfter?.[Symbol.dispose]()
    this.keepAlive?.[Symbol.dispose]()
    this.expiry?.[Symbol.dispose]()
  }
}

/** Errors about the request itself have a status; what went wrong in doing the work has none. */
export function standaloneStatus(error: WireError): number {
  if (error.code === -32601) return 404
  return error.code <= -32020 && error.code >= -32022 ? 400 : statusOf(error)
}
