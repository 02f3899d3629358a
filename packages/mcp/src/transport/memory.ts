/**
 * The transport between two ends in one process, and the queue behind it.
 *
 * `createTransportPair` passes objects as they are, or text; `Inbox` delivers in a microtask with a bounded number of waiting
 * messages, so that no sender runs the code of its receiver. `connect(server)` uses a pair, HTTP+SSE uses the inbox, and tests use
 * both.
 */
import { McpError } from '../rpc/errors/mcp-error.ts'
import type { RpcError } from '../rpc/errors/rpc-error.ts'
import { markHandled } from '../rpc/promise.ts'
import {
  type MessageSink,
  type RawMessage,
  alreadyReceived,
  type Transport,
  iterateMessages,
} from '../rpc/transport.ts'

/** Where messages wait, in order and in bounded number, for the one who receives them. */
export interface Inbox {
  /** Nothing, or a promise that resolves when there is room for more. Never calls the receiver itself. */
  put(message: RawMessage | RpcError): Promise<void> | void
  /** Nothing comes after what is queued now; with an error if the channel broke. Only the first call counts. */
  end(error?: unknown): void
  /** Drops what is queued and ends: for a receiver that has gone. */
  discard(): void
  /** Once. */
  receive(sink: MessageSink): void
}

/** Delivers in a microtask, all that is queued at a time, so that no sender ever runs its receiver's code. */
export function createInbox({ capacity = 1024 }: { capacity?: number | undefined } = {}): Inbox {
  let queue: (RawMessage | RpcError)[] = []
  let head = 0 // of what is queued, in `queue`: taking from the front costs nothing
  let ending: { readonly error: unknown } | undefined
  let isEnded = false
  let drained: Drain | undefined
  let sink: MessageSink | undefined
  let isDelivering = false // scheduled, running, or waiting for the sink

  function take(): RawMessage | RpcError | undefined {
    const message = queue[head]
    head += 1
    if (head === queue.length) {
      queue.length = 0
      head = 0
    } else if (head > 1024 && head * 2 > queue.length) {
      queue = queue.slice(head)
      head = 0
    }
    if (drained && queue.length - head < capacity) openDrain()
    return message
  }

  function openDrain(): void {
    drained?.open()
    drained = undefined
  }

  function schedule(): void {
    if (isDelivering || isEnded || !sink) return
    isDelivering = true
    void microtask.then(deliver)
  }

  function deliver(): void {
    while (sink && queue.length > 0) {
      const message = take()
      const pause = message === undefined ? undefined : sink.message(message)
      if (pause) return void pause.then(deliver)
    }
    isDelivering = false
    if (!sink || !ending || isEnded) return
    isEnded = true
    sink.end(ending.error)
  }

  function end(error?: unknown): void {
    if (ending) return
    ending = { error }
    schedule()
  }

  return {
    put(message) {
      if (ending) return undefined
      queue.push(message)
      schedule()
      if (queue.length - head <= capacity) return undefined
      drained ??= createDrain()
      return drained.promise
    },
    end,
    discard() {
      queue = []
      head = 0
      openDrain()
      end()
    },
    receive(receiver) {
      if (sink) throw alreadyReceived()
      sink = receiver
      if (queue.length > 0 || ending) schedule()
    },
  }
}

/** Its `then` is a microtask too, and costs half of Node's `queueMicrotask`. */
const microtask = Promise.resolve()

interface Drain {
  readonly promise: Promise<void>
  open(): void
}

function createDrain(): Drain {
  let open = (): void => {}
  const promise = new Promise<void>((resolve) => (open = resolve))
  return { promise, open }
}

/** How messages pass between the two ends. */
export interface TransportPairOptions {
  /** Send strings, so that what would not survive JSON fails. @defaultValue false: objects, as they are */
  readonly text?: boolean | undefined
  /** Messages queued in one direction before `send` asks the sender to wait. @defaultValue 1_024 */
  readonly capacity?: number | undefined
}

/**
 * Both ends of a channel inside this process. Delivery is in order and never within `send`. Closing one end closes
 * both; the other end still gets what was sent to it before.
 */
export function createTransportPair({
  text = false,
  capacity,
}: TransportPairOptions = {}): readonly [Transport, Transport] {
  const left = createInbox({ capacity })
  const right = createInbox({ capacity })
  const line = { isClosed: false, text }
  return [createEnd(line, left, right), createEnd(line, right, left)]
}

interface Line {
  isClosed: boolean
  readonly text: boolean
}

function createEnd(line: Line, own: Inbox, peer: Inbox): Transport {
  return {
    kind: 'memory',
    peer: 'memory',
    messages: iterateMessages(own.receive),
    receive: own.receive,

    send(message) {
      if (line.isClosed) return markHandled(Promise.reject(closed()))
      return peer.put(line.text ? message.text : message.raw)
    },

    [Symbol.asyncDispose]() {
      line.isClosed = true
      own.discard()
      peer.end()
      return Promise.resolve()
    },
  }
}

function closed(): McpError {
  return new McpError('closed', 'the memory transport is closed', { details: undefined })
}
