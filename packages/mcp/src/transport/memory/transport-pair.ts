import { McpError } from '../../rpc/errors/mcp-error.ts'
import { markHandled } from '../../rpc/promise.ts'
import type { Transport } from '../../rpc/transport.ts'
import { iterateMessages } from '../../rpc/transport/receive-messages.ts'
import { createInbox } from './inbox.ts'
import type { Inbox } from './inbox.ts'

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
