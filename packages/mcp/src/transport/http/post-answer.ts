import type { Clock } from '../../rpc/clock.ts'
import type { RequestId, WireError } from '../../rpc/message.ts'
import type { PendingRequests } from '../../rpc/pending-requests.ts'
import { RpcError } from '../../rpc/rpc-error.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { Answers } from '../../server/call.ts'
import type { CallerChannel } from '../../server/session.ts'
import type { EventStream } from './event-stream.ts'
import type { HttpExchange, HttpHeaders, StreamOutput } from './exchange.ts'
import { statusOf } from './http-errors.ts'
import type { Accepts } from './media-type.ts'

export interface PostAnswerOptions {
  readonly exchange: HttpExchange
  readonly accepts: Accepts
  /** How many requests the body had. */
  readonly requests: number
  /** The body was an array: so is the answer. */
  readonly isBatch: boolean
  readonly headers: HttpHeaders
  readonly streamHeaders: HttpHeaders
  readonly clock: Clock
  /** Work that takes longer gets an event stream, so that no proxy takes it for dead. */
  readonly patienceMs: number
  readonly createStream: () => EventStream
  readonly pending: PendingRequests
  /** The caller has gone and nothing it could resume is left to write to, or it was still waiting for its first byte. */
  readonly onGone: () => void
  /** Every request of this POST has been answered or given up. */
  readonly onDone: () => void
}

/**
 * The answer to one POST: plain JSON, unless something must be sent before the result; then an event stream. What
 * belongs to the calls of this request goes here and nowhere else.
 */
export interface PostAnswer extends Answers, CallerChannel {}

export function createPostAnswer(options: PostAnswerOptions): PostAnswer {
  const { exchange, accepts, isBatch, pending } = options
  const replies: { readonly message: RawMessage; readonly status: number }[] = []
  let waiting = options.requests
  let stream: EventStream | undefined
  let output: StreamOutput | undefined
  let isGone = false
  const patience = accepts.events
    ? options.clock.setTimer(() => void becomeStream(), options.patienceMs)
    : undefined

  exchange.onGone(() => {
    isGone = true
    if (output) stream?.detach(output)
    if (waiting > 0) options.onGone()
  })

  /** Undefined for a caller that cannot read events. */
  function becomeStream(): EventStream | undefined {
    if (stream !== undefined || !accepts.events || waiting === 0) return stream
    stream = options.createStream()
    if (!isGone) {
      output = exchange.openStream({ ...options.headers, ...options.streamHeaders })
      stream.attach(output, 0)
    }
    for (const { message } of replies.splice(0)) stream.send(message)
    return stream
  }

  function take(message: RawMessage | undefined, status: number): void {
    if (waiting === 0) return
    waiting -= 1
    if (message !== undefined) {
      if (stream) stream.send(message)
      else replies.push({ message, status })
    }
    if (waiting > 0) return
    finish()
    options.onDone()
  }

  function finish(): void {
    patience?.[Symbol.dispose]()
    if (stream) return stream.end()
    if (isGone) return
    const [only] = replies
    if (only === undefined) return exchange.respond(202, options.headers)
    const texts = replies.map(({ message }) => toText(message))
    const body = isBatch ? `[${texts.join(',')}]` : (texts[0] ?? '')
    const status = isBatch ? 200 : only.status
    exchange.respond(status, { ...options.headers, 'content-type': 'application/json' }, body)
  }

  return {
    get room() {
      return stream?.room
    },
    reply: (_id, response) => take(response, 200),
    refuse: (id, error) => take(errorResponse(id, error), statusOf(error)),
    forget: () => take(undefined, 202),
    notify(method, params) {
      becomeStream()?.send(
        params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params },
      )
    },
    request(method, params, requestOptions) {
      const way = becomeStream()
      if (way === undefined) return Promise.reject(noWayBack(method))
      return pending.open(method, requestOptions, (id) => {
        way.send(
          params === undefined
            ? { jsonrpc: '2.0', id, method }
            : { jsonrpc: '2.0', id, method, params },
        )
      })
    },
  }
}

function errorResponse(id: RequestId | undefined, error: WireError): object {
  return id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error }
}

function toText(message: RawMessage): string {
  return typeof message === 'string' ? message : JSON.stringify(message)
}

function noWayBack(method: string): RpcError {
  return new RpcError(
    'missing_client_capability',
    `${method}: this caller does not accept an event stream to be asked on`,
    {
      data: { requiredCapabilities: {} },
    },
  )
}
