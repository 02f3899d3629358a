import type { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { MessageSink, RawMessage } from '../../rpc/transport.ts'
import { createInbox } from '../memory/inbox.ts'
import type { SocketLike } from './socket-like.ts'

/** What has arrived and waits for its receiver, bounded by size. */
export interface SocketInbox {
  put(message: RawMessage | RpcError): void
  /** After what is queued. Only the first call counts. */
  end(error?: unknown): void
  /** Drops what is queued, ends, and lets the socket flow, so that its close is heard. */
  discard(): void
  receive(sink: MessageSink): void
  /** The socket is paused: nothing can be heard from the peer. */
  readonly isPaused: boolean
}

/** Bounds of what is unread, and who is told. */
export interface SocketInboxOptions {
  /** Unread before the socket is paused. */
  readonly bufferedBytes: number
  /** Unread before a socket that cannot be paused is given up. */
  readonly mostBytes: number
  readonly onOverflow: () => void
}

/** Pauses the socket while too much waits to be read, where the socket can be paused. */
export function createSocketInbox(socket: SocketLike, options: SocketInboxOptions): SocketInbox {
  const { bufferedBytes, mostBytes, onOverflow } = options
  const inbox = createInbox({ capacity: Infinity })
  let unread = 0
  let isPaused = false

  function take(message: RawMessage | RpcError): void {
    unread -= weightOf(message)
    if (isPaused && unread <= bufferedBytes / 2) resume()
  }

  function resume(): void {
    isPaused = false
    socket.resume?.()
  }

  return {
    put(message) {
      const before = unread
      unread += weightOf(message)
      void inbox.put(message) // it has no capacity to wait for
      if (unread <= bufferedBytes || isPaused) return
      if (socket.pause && socket.resume) {
        isPaused = true
        socket.pause()
      } else if (before > mostBytes) onOverflow()
    },
    end: inbox.end,
    discard() {
      unread = 0
      inbox.discard()
      if (isPaused) resume()
    },
    receive(sink) {
      inbox.receive({
        message(message) {
          take(message)
          return sink.message(message)
        },
        end: (error) => sink.end(error),
      })
    },
    get isPaused() {
      return isPaused
    },
  }
}

/** Many tiny messages cost more than their text. */
const overhead = 64

function weightOf(message: RawMessage | RpcError): number {
  return overhead + (typeof message === 'string' ? message.length : 0)
}
