/**
 * JSON-RPC over one `Transport`: decodes what arrives, matches responses to requests, and writes what is sent.
 *
 * Pauses reading while the other side does not read (`maxPendingResponses`), collects the responses of a batch, and reports what cannot
 * be decoded or written. Knows nothing of methods: a `Receiver` gets each kind of message, and `PendingRequests` keeps the
 * requests of this side. Clients open one per channel; servers open one for stdio, WebSocket, HTTP+SSE and transports of users.
 * Streamable HTTP has none: there each POST is a channel.
 */
import type { JsonObject } from '../schema/json.ts'
import type { BatchReplies, CreateReplies } from './batches.ts'
import type { Clock } from './clock.ts'
import { McpError } from './errors/mcp-error.ts'
import type { OnError } from './errors/on-error.ts'
import { isRpcError, wireCodes, type RpcError } from './errors/rpc-error.ts'
import { frameOf, type Frame } from './frame.ts'
import type { PreparedResponse } from './json/json-text.ts'
import {
  decodeMessage,
  errorResponse,
  type DecodeLimits,
  type RequestId,
  type WireError,
} from './message.ts'
import type { Traffic } from './observe-request.ts'
import {
  createPendingRequests,
  type PendingRequests,
  type SendRequest,
} from './pending-requests.ts'
import { isPromise } from './promise.ts'
import { receive, type Receiver } from './receiver.ts'
import {
  type MessageSink,
  type RawMessage,
  type Transport,
  OutgoingMessage,
  receiveMessages,
} from './transport.ts'

/** JSON-RPC over one channel: correlates, bounds and reports, and knows nothing of what methods mean. */
export interface Connection {
  readonly peer: string | undefined
  /** The requests of our side. */
  readonly requests: PendingRequests
  /** The raw result; errors arrive as `RpcError`, everything else as `McpError`. */
  readonly request: SendRequest
  notify(method: string, params?: JsonObject): void
  /**
   * Sends the response to a request; text must be the whole response, `prepared` the same in parts. Returns the text, if that
   * is known at once.
   */
  reply(id: RequestId, response: RawMessage, prepared?: PreparedResponse): string | undefined
  reject(id: RequestId | undefined, error: WireError): void
  /** From now on the answers to these requests are sent together, after the errors for malformed messages. */
  openBatch(
    ids: readonly RequestId[],
    rejections: readonly RawMessage[],
    create?: CreateReplies,
  ): void
  /** The request will not be answered. */
  forget(id: RequestId): void
  /** The peer will not answer this request of ours, or too late: rejects it, and ignores an answer. */
  drop(id: RequestId, reason: unknown): void
  /** Returns a promise to wait for while the peer reads more slowly than we write. */
  drained(): Promise<void> | undefined
  /** A frame that proves life to every request we wait for. */
  touch(): void
  /** While a person is being asked, no request we wait for grows older. */
  pause(): void
  resume(): void
  /** Rejects pending requests with `reason` and closes the channel. Never rejects itself. */
  close(reason: unknown): Promise<void>
  /** Ends at once, as if the channel had broken, and closes it afterwards. */
  fail(reason: unknown): void
}

export interface ConnectionOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly limits: DecodeLimits
  /**
   * How many answers may wait for a peer that does not read before we stop reading from it. Two sides that both stop at
   * once would wait for each other for ever, so only one of them may say 0.
   */
  readonly maxPendingResponses: number
  /** Takes what arrives. */
  readonly receiver: (connection: Connection) => Receiver
  /** Once, when the channel has ended, by whichever side. */
  readonly onEnd: (error: unknown) => void
  readonly onError: OnError
  readonly onMessage?: ((frame: Frame) => void) | undefined
  /** Collects the answers of batches. Absent: `openBatch` has to be given it. */
  readonly createReplies?: CreateReplies | undefined
  /** False where the peer sends no requests: what it sends wrong is reported, and not answered. @defaultValue true */
  readonly mayRespond?: (() => boolean) | undefined
  readonly decodeError: (error: WireError, method: string) => RpcError
}

export function openConnection(options: ConnectionOptions): Connection {
  const { transport, clock, limits, onError, onMessage } = options
  const { peer } = transport
  const requests = createPendingRequests({
    clock,
    write,
    peer,
    decodeError: options.decodeError,
    report,
  })
  let batches: BatchReplies | undefined
  let drained: Promise<void> | undefined
  let pendingResponses = 0
  let ended = false
  let closing: { readonly reason: unknown; readonly done: Promise<void> } | undefined

  const sink: MessageSink = {
    message(raw) {
      try {
        if (onMessage && !isRpcError(raw)) trace('in', new OutgoingMessage(raw))
        const message = decodeMessage(raw, limits)
        if (message.kind === 'malformed') report(message.error, 'warning')
        const waiting = receive(receiver, message, raw)
        if (isPromise(waiting)) return waiting.then(() => undefined, report)
      } catch (error) {
        report(error) // a fault of ours in handling one message must not end the connection
      }
      return pendingResponses >= options.maxPendingResponses ? drained : undefined
    },
    fail: (id, error) => void requests.reject(id, error),
    end(cause) {
      if (ended) return
      ended = true
      const error = cause ?? closing?.reason
      requests.rejectAll(disconnectedError(error, peer, true))
      requests[Symbol.dispose]()
      try {
        options.onEnd(error)
      } catch (reportError) {
        report(reportError)
      }
    },
  }

  function notify(method: string, params?: JsonObject): void {
    send(params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params })
    // A handler that computes in the same turn would hold it up.
    if (method === 'notifications/progress') transport.flush?.()
  }

  function reject(id: RequestId | undefined, error: WireError): void {
    if (options.mayRespond?.() === false) return
    const response = errorResponse(id, error)
    pendingResponses += drained === undefined ? 0 : 1
    if (id === undefined || !batches?.add(id, response)) send(response)
  }

  /** Reports what cannot be written, such as a value with a cycle in it. */
  function send(message: RawMessage): void {
    try {
      write(message)
    } catch (error) {
      report(error)
    }
  }

  function write(
    message: RawMessage,
    traffic?: Traffic,
    prepared?: PreparedResponse,
  ): OutgoingMessage {
    const outgoing = new OutgoingMessage(message, traffic, prepared)
    if (ended) return outgoing
    if (onMessage) trace('out', outgoing)
    const waiting = transport.send(outgoing)
    outgoing.traffic?.sent(outgoing.written) // most transports cannot say better when it leaves
    if (waiting !== undefined) hold(waiting)
    return outgoing
  }

  function hold(waiting: Promise<void>): void {
    const released = waiting.then(release, release) // a broken channel ends through the sink
    drained = released
    function release(): void {
      if (drained !== released) return
      drained = undefined
      pendingResponses = 0
    }
  }

  function trace(direction: Frame['direction'], message: OutgoingMessage): void {
    try {
      onMessage?.(frameOf(direction, clock.now(), message, limits))
    } catch (error) {
      report(error) // who watches must not change what is watched
    }
  }

  function report(error: unknown, severity: 'warning' | 'error' = 'error'): void {
    onError(error, { severity, ...(peer !== undefined && { peer }) })
  }

  const connection: Connection = {
    peer,
    requests,
    request,
    notify,
    reply(id, response, prepared) {
      pendingResponses += drained === undefined ? 0 : 1
      try {
        return batches?.add(id, response) ? undefined : write(response, undefined, prepared).written
      } catch (error) {
        report(error)
        const message = 'the result cannot be written as JSON'
        reject(id, { code: wireCodes.internal_error, message })
        return undefined
      }
    },
    reject: reject,
    openBatch(ids, rejections, create = options.createReplies) {
      batches ??= create?.(send)
      batches?.open(ids, rejections)
    },
    forget: (id) => batches?.drop(id),
    drop: requests.drop,
    drained: () => drained,
    touch: requests.touchAll,
    pause: requests.pause,
    resume: requests.resume,
    close,
    fail(reason) {
      sink.end(reason)
      void close(reason)
    },
  }

  const receiver = options.receiver(connection)
  receiveMessages(transport, sink)
  return connection

  function request(...sent: Parameters<SendRequest>): Promise<JsonObject> {
    return ended
      ? Promise.reject(disconnectedError(undefined, peer, false))
      : requests.send(...sent)
  }

  async function close(reason: unknown): Promise<void> {
    requests.rejectAll(reason)
    closing ??= { reason, done: Promise.resolve().then(dispose) }
    await closing.done
  }

  async function dispose(): Promise<void> {
    try {
      await transport[Symbol.asyncDispose]()
    } catch (error) {
      report(error, 'warning')
    }
    sink.end()
  }
}

function disconnectedError(cause: unknown, peer: string | undefined, sent: boolean): Error {
  if (cause instanceof McpError) return cause
  return new McpError(
    'connection_lost',
    `the connection to ${peer ?? 'the peer'} ended before the ${sent ? 'answer came' : 'request went out'}`,
    { details: { sent }, peer, ...(cause !== undefined && { cause }) },
  )
}
