import type { JsonObject } from '../schema/json/json.ts'
import { progressParams, type ProgressNotificationParams } from '../schema/progress.ts'
import type { BatchReplies, CreateBatchReplies } from './batch-replies.ts'
import type { OnError } from './errors/error-report.ts'
import { McpError } from './errors/mcp-error.ts'
import { isRpcError, RpcError, wireCodes } from './errors/rpc-error.ts'
import { frameOf, type Frame } from './frame.ts'
import {
  decodeMessage,
  errorResponse,
  type Batch,
  type DecodeLimits,
  type ErrorResponse,
  type Malformed,
  type Message,
  type Notification,
  type Request,
  type RequestId,
  type WireError,
} from './message.ts'
import { createOwnRequests, type SendRequest } from './own-requests.ts'
import type { MaybePromise } from './promise.ts'
import type { Clock } from './time/clock.ts'
import type { MessageSink, RawMessage, Transport } from './transport.ts'
import { OutgoingMessage } from './transport/outgoing-message.ts'
import { receiveMessages } from './transport/receive-messages.ts'

/** JSON-RPC over one channel: correlates, bounds and reports, and knows nothing of what methods mean. */
export interface Connection {
  readonly peer: string | undefined
  /** The raw result; errors arrive as `RpcError`, everything else as `McpError`. */
  readonly request: SendRequest
  notify(method: string, params?: JsonObject): void
  /** The answer to a request; text must be the whole response. */
  reply(id: RequestId, response: RawMessage): void
  refuse(id: RequestId | undefined, error: WireError): void
  /** The request will not be answered. */
  forget(id: RequestId): void
  /** The peer will not answer this request of ours, or too late: rejects it, and ignores an answer. */
  drop(id: RequestId, reason: unknown): void
  /** What to wait for while the peer reads more slowly than we write. */
  room(): Promise<void> | undefined
  /** A frame that proves life to every request we wait for. */
  touch(): void
  /** While a person is being asked, no request we wait for grows older. */
  pause(): void
  resume(): void
  /** Rejects what is pending with `reason` and closes the channel. Never rejects. */
  close(reason: unknown): Promise<void>
  /** Ends at once, as if the channel had broken, and closes it afterwards. */
  fail(reason: unknown): void
}

export interface ConnectionOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly limits: DecodeLimits & { readonly batchBytes?: number }
  /**
   * How many answers may wait for a peer that does not read before we stop reading from it. Two sides that both stop at
   * once would wait for each other for ever, so only one of them may say 0.
   */
  readonly answersAhead: number
  /** A returned promise means: receive nothing more until it resolves. It never rejects. */
  readonly onRequest: (request: Request) => MaybePromise<void>
  readonly onNotification: (notification: Notification) => void
  /** Once, when the channel has ended, by whichever side. */
  readonly onEnd: (error: unknown) => void
  readonly onError: OnError
  readonly onMessage?: ((frame: Frame) => void) | undefined
  /** A request with this id is being worked on, whose answer belongs where it was asked for. */
  readonly isInUse?: ((id: RequestId) => boolean) | undefined
  /** What answers batches, in a revision that has them. */
  readonly batches: () => CreateBatchReplies | undefined
  /** False where the peer sends no requests: what it sends wrong is reported, and not answered. @defaultValue true */
  readonly mayAnswer?: (() => boolean) | undefined
  readonly decodeError: (error: WireError, method: string) => RpcError
  readonly encodeError: (error: RpcError) => WireError
}

export function openConnection(options: ConnectionOptions): Connection {
  const { transport, clock, limits, onError, onMessage } = options
  const { peer } = transport
  const own = createOwnRequests({ clock, write, notify })
  let batches: BatchReplies | undefined
  let room: Promise<void> | undefined
  let answersWaiting = 0
  let ended = false
  let closing: { readonly reason: unknown; readonly done: Promise<void> } | undefined

  const sink: MessageSink = {
    message(raw) {
      try {
        if (onMessage && !isRpcError(raw)) trace('in', new OutgoingMessage(raw))
        const waiting = receive(decodeMessage(raw, limits))
        if (waiting) return waiting
      } catch (error) {
        report(error) // a fault of ours in handling one message must not end the connection
      }
      return answersWaiting >= options.answersAhead ? room : undefined
    },
    fail: (id, error) => void own.reject(id, error),
    end(cause) {
      if (ended) return
      ended = true
      const error = cause ?? closing?.reason
      own.rejectAll(lost(error, peer, true))
      own[Symbol.dispose]()
      try {
        options.onEnd(error)
      } catch (fault) {
        report(fault)
      }
    },
  }
  receiveMessages(transport, sink)

  function receive(message: Message | Malformed | Batch): MaybePromise<void> {
    switch (message.kind) {
      case 'request':
        return options.onRequest(message)
      case 'notification':
        return message.method === 'notifications/progress'
          ? receiveProgress(message)
          : options.onNotification(message)
      case 'result':
        if (!own.resolve(message.id, message.result)) ignoreResponse(message.id)
        return
      case 'error':
        return receiveError(message)
      case 'malformed':
        return receiveMalformed(message)
      case 'batch':
        return receiveBatch(message)
    }
  }

  function receiveProgress(message: Notification): void {
    const { params } = message
    if (progressParams(params) !== undefined)
      return report(new RpcError('invalid_params', 'malformed progress notification'), 'warning')
    const { progressToken, ...progress } = params as unknown as ProgressNotificationParams // just checked
    // The call may just have ended; what goes on after it is known elsewhere, if at all.
    if (!own.progress(progressToken, progress)) options.onNotification(message)
  }

  function receiveError({ id, error }: ErrorResponse): void {
    const method = own.methodOf(id)
    const decoded = options.decodeError(error, method ?? '')
    if (id === undefined) return report(decoded, 'warning')
    if (!own.reject(id, decoded)) ignoreResponse(id)
  }

  function receiveMalformed({ id, isAnswerable, error }: Malformed): void {
    report(error, 'warning')
    if (isAnswerable) return refuse(id, options.encodeError(error))
    // A response we cannot read: the call it answers must not wait for ever.
    if (id !== undefined && own.methodOf(id) !== undefined) own.reject(id, unreadable(error, peer))
  }

  function receiveBatch({ members }: Batch): MaybePromise<void> {
    batches ??= options.batches()?.(send, options)
    const refusal = batches
      ? batches.accept(members, options.encodeError, options.isInUse)
      : noBatches()
    if (refusal !== undefined) return refuse(undefined, options.encodeError(refusal))
    if (batches?.inTurns) return batches.inTurns(members, receiveMember)
    members.forEach(receiveMember)
  }

  function receiveMember(member: Batch['members'][number]): void {
    if (member.kind !== 'malformed') void receive(member)
  }

  function ignoreResponse(id: RequestId): void {
    report(
      new RpcError(
        'invalid_request',
        `a response to nothing we wait for, id ${JSON.stringify(id)}`,
      ),
      'warning',
    )
  }

  function notify(method: string, params?: JsonObject): void {
    send(params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params })
    // A handler that computes in the same turn would hold it up.
    if (method === 'notifications/progress') transport.flush?.()
  }

  function refuse(id: RequestId | undefined, error: WireError): void {
    if (options.mayAnswer?.() === false) return
    const response = errorResponse(id, error)
    answersWaiting += room === undefined ? 0 : 1
    if (id === undefined || !batches?.add(id, response)) send(response)
  }

  /** False for what has no JSON. */
  function answer(id: RequestId, response: RawMessage): boolean {
    answersWaiting += room === undefined ? 0 : 1
    try {
      return batches?.add(id, response) || send(response)
    } catch (error) {
      report(error)
      return false
    }
  }

  /** False for what cannot be written, such as a value with a cycle in it. */
  function send(message: RawMessage): boolean {
    try {
      write(message)
      return true
    } catch (error) {
      report(error)
      return false
    }
  }

  function write(message: RawMessage): void {
    if (ended) return
    const outgoing = new OutgoingMessage(message)
    if (onMessage) trace('out', outgoing)
    const waiting = transport.send(outgoing)
    if (waiting !== undefined) hold(waiting)
  }

  function hold(waiting: Promise<void>): void {
    const settled = waiting.then(release, release) // a broken channel ends through the sink
    room = settled
    function release(): void {
      if (room !== settled) return
      room = undefined
      answersWaiting = 0
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

  return {
    peer,
    request,
    notify,
    reply(id, response) {
      if (answer(id, response)) return
      refuse(id, {
        code: wireCodes.internal_error,
        message: 'the result cannot be written as JSON',
      })
    },
    refuse,
    forget: (id) => batches?.drop(id),
    drop: (id, reason) => own.drop(id, reason),
    room: () => room,
    touch: () => own.touchAll(),
    pause: () => own.pause(),
    resume: () => own.resume(),
    close,
    fail(reason) {
      sink.end(reason)
      void close(reason)
    },
  }

  function request(...sent: Parameters<SendRequest>): Promise<JsonObject> {
    if (ended) return Promise.reject(lost(undefined, peer, false))
    return own.send(...sent)
  }

  async function close(reason: unknown): Promise<void> {
    own.rejectAll(reason)
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

function unreadable(error: RpcError, peer: string | undefined): McpError {
  const { message } = error
  if (isRpcError(error, 'limit_exceeded'))
    return new McpError('limit_exceeded', message, { details: error.data, peer })
  return new McpError(
    'invalid_message',
    `the peer answered with something that is no response: ${message}`,
    { details: { excerpt: message }, peer },
  )
}

function noBatches(): RpcError {
  const why = 'this revision has no batches: send one message at a time'
  return new RpcError('invalid_request', why)
}

function lost(cause: unknown, peer: string | undefined, sent: boolean): Error {
  if (cause instanceof McpError) return cause
  return new McpError(
    'connection_lost',
    `the connection to ${peer ?? 'the peer'} ended before the ${sent ? 'answer came' : 'request went out'}`,
    { details: { sent }, peer, ...(cause !== undefined && { cause }) },
  )
}
