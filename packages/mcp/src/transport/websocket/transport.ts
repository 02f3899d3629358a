/**
 * A `Transport` over one WebSocket, for both sides.
 *
 * One message per text frame; limits of size, back-pressure by what the socket has buffered, and an orderly close. Writing is
 * in `writer.ts`; `accept.ts` upgrades requests of clients, `open.ts` connects to a server. The specification has no WebSocket
 * transport: this one is Parley's.
 */
import { systemClock, type Clock } from '../../rpc/clock.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { defaultLimits, networkMessageBytes } from '../../rpc/limits.ts'
import type { MemoryShare } from '../../rpc/memory-budget.ts'
import {
  type Transport,
  iterateMessages,
  type MessageSink,
  type RawMessage,
} from '../../rpc/transport.ts'
import { createInbox } from '../memory.ts'
import { closeCodes, readyStates, type SocketEvent, type SocketLike } from './socket-like.ts'
import { createSocketWriter, watchSocket } from './writer.ts'

/** How much may be on its way, and for how long nothing. */
export interface WebSocketOptions {
  /** Time without a message before a ping frame, where the socket can ping; as much again before it is lost. 0 is never. @defaultValue 15_000 */
  readonly keepAliveMs?: number | undefined
  /** Limit for one message that arrives. @defaultValue 4 MiB */
  readonly messageBytes?: number | undefined
  /** Queued, in either direction, before whoever sends is asked to wait; at 64 times as much the socket is cut. @defaultValue 1 MiB */
  readonly bufferedBytes?: number | undefined
  /** For errors and traces. Never a credential. @defaultValue 'websocket' */
  readonly peer?: string | undefined
  /** The source of time; a virtual one in tests. @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined
}

/** A transport over an open or opening socket: the global `WebSocket`, `ws`, a Workers pair, Deno's upgrade. */
export function createWebSocketTransport(
  socket: SocketLike,
  options: WebSocketOptions = {},
): Transport {
  return openSocketChannel(socket, options).transport
}

/** A transport, and what only who made the socket may decide. */
export interface SocketChannel {
  readonly transport: Transport
  /** A message has arrived. */
  readonly isUsed: boolean
  /** Sets the closing frame for a transport that is closed from here. @defaultValue 1000 */
  closeAs(code: number, reason: string): void
  /** Ends it at once: too much is on its way, or waits. */
  cut(why: string): void
}

/** Options that only the creator of the socket knows. */
export interface SocketChannelOptions extends WebSocketOptions {
  /** Bytes that have arrived, so that a long message counts as life before its end. */
  readonly bytesRead?: (() => number) | undefined
  /** Counts the memory of messages to be written. */
  readonly waiting?: MemoryShare | undefined
}

/** Like `createWebSocketTransport`, for the creator of the socket. */
export function openSocketChannel(
  socket: SocketLike,
  options: SocketChannelOptions,
): SocketChannel {
  const { messageBytes = networkMessageBytes, keepAliveMs = 15_000 } = options
  const { bufferedBytes = defaultLimits.bufferedBytes } = options
  const { peer = 'websocket', clock = systemClock } = options
  const maxBytes = 64 * bufferedBytes
  let { bytesRead = () => 0 } = options
  let frames = 0
  let isUsed = false
  let socketError: unknown
  let isEnded = false
  let closing = { code: closeCodes.normal as number, reason: '' }
  let disposed: Promise<void> | undefined
  let markClosed = (): void => {}
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  const inbox = createSocketInbox(socket, {
    bufferedBytes,
    maxBytes,
    onOverflow: () => cut(closeCodes.tryAgainLater, `more than ${maxBytes} bytes are unread here`),
  })
  const writer = createSocketWriter(socket, {
    bufferedBytes,
    maxBytes,
    onOverflow: (why = `more than ${maxBytes} bytes wait to be read`) =>
      cut(closeCodes.tryAgainLater, why),
    waiting: options.waiting,
    clock,
    closedError,
  })
  const watch = watchSocket(socket, {
    clock,
    keepAliveMs,
    received: () => frames + bytesRead(),
    taken: writer.taken,
    isDeaf: () => inbox.isPaused,
    onSilent: () => fail(disconnectedError('the peer did not answer a ping', peer)),
    onTooSlow: () => cut(closeCodes.tryAgainLater, 'nothing of what was sent is being read'),
  })

  function onMessage({ data }: SocketEvent): void {
    frames += 1
    isUsed = true
    if (isEnded) return
    if (typeof data !== 'string') {
      return cut(closeCodes.unsupportedData, 'messages are text frames, not binary ones')
    }
    inbox.put(isLonger(data, messageBytes) ? tooLong(data, messageBytes) : data)
  }

  function onClose({ code = closeCodes.abnormal, reason = '' }: SocketEvent): void {
    end(
      closeError({ code, reason, ...(socketError !== undefined && { error: socketError }) }, peer),
    )
    markClosed()
  }

  function end(error?: McpError): void {
    if (isEnded) return
    isEnded = true
    watch[Symbol.dispose]()
    writer.end(error ?? closedError(), error)
    inbox.end(error)
  }

  /** Says why, and does not wait for long: a peer that does not read will not read this either. */
  function cut(code: number, reason: string): void {
    if (isEnded) return
    end(disconnectedError(`the WebSocket was closed from here with code ${code}: ${reason}`, peer))
    closeSocket(socket, code, reason)
    systemClock.setTimer(() => socket.terminate?.(), cutMs)
  }

  function fail(error: McpError): void {
    end(error)
    if (socket.terminate) socket.terminate()
    else closeSocket(socket, closeCodes.normal, '')
  }

  function closedError(): McpError {
    return new McpError('closed', 'the WebSocket is closed', { details: undefined, peer })
  }

  async function dispose(): Promise<void> {
    inbox.discard()
    end()
    if (socket.readyState === readyStates.closed) return
    closeSocket(socket, closing.code, closing.reason)
    const timer = systemClock.setTimer(giveUp, closeMs)
    await closed
    timer[Symbol.dispose]()
  }

  function giveUp(): void {
    socket.terminate?.()
    markClosed()
  }

  socket.addEventListener('message', onMessage)
  socket.addEventListener(
    'error',
    ({ error, message }) => (socketError ??= error ?? message ?? 'error'),
  )
  socket.addEventListener('close', onClose)
  socket.on?.('pong', () => void (frames += 1))
  socket.on?.('ping', () => void (frames += 1))
  socket.on?.('upgrade', (response: { readonly socket: { readonly bytesRead: number } }) => {
    bytesRead = () => response.socket.bytesRead
  })
  if (socket.readyState >= readyStates.closing)
    end(disconnectedError('the WebSocket is not open', peer))

  return {
    get isUsed() {
      return isUsed
    },
    closeAs: (code, reason) => void (closing = { code, reason }),
    cut: (why) => cut(closeCodes.tryAgainLater, why),
    transport: {
      kind: 'websocket',
      peer,
      messages: iterateMessages(inbox.receive),
      receive: inbox.receive,
      send: writer.send,
      [Symbol.asyncDispose]: () => (disposed ??= dispose()),
    },
  }
}

const cutMs = 1_000
const closeMs = 2_000

const encoder = new TextEncoder()

/** A UTF-16 unit is one to three bytes, so most texts need no counting. */
export function isLonger(text: string, messageBytes: number): boolean {
  if (text.length > messageBytes) return true
  return text.length * 3 > messageBytes && encoder.encode(text).length > messageBytes
}

/** The error that replaces a message over the size limit. */
function tooLong(text: string, allowed: number): RpcError<'limit_exceeded'> {
  const why = `a message is longer than limits.messageBytes (${allowed}) allows`
  return new RpcError('limit_exceeded', why, {
    data: { limit: 'messageBytes', allowed, seen: encoder.encode(text).length },
  })
}

/** How a socket ended; the `cause` of the `connection_lost` it leads to. */
export interface SocketClose {
  /** 1006 when there was no closing handshake. */
  readonly code: number
  /** The reason in the closing frame; empty without one. */
  readonly reason: string
  /** The error that the socket reported before it closed. */
  readonly error?: unknown
}

/** A peer that says it is leaving has closed; with no code it has only said less. */
const orderly: ReadonlySet<number> = new Set([
  closeCodes.normal,
  closeCodes.goingAway,
  closeCodes.noStatus,
])

/** Undefined for an orderly close. */
function closeError(close: SocketClose, peer: string | undefined): McpError | undefined {
  const { code, reason, error } = close
  if (orderly.has(code) && error === undefined) return undefined
  const why = reason === '' ? messageOf(error) : JSON.stringify(reason)
  const message = `the WebSocket closed with code ${code}${why === undefined ? '' : `: ${why}`}`
  return disconnectedError(message, peer, close)
}

/** The channel broke. */
function disconnectedError(message: string, peer: string | undefined, cause?: unknown): McpError {
  return new McpError('connection_lost', message, {
    details: { sent: true },
    peer,
    ...(cause !== undefined && { cause }),
  })
}

/** Starts the closing handshake. Never throws. */
function closeSocket(socket: SocketLike, code: number, reason: string): void {
  if (socket.readyState === readyStates.closed) return
  try {
    socket.close(code, reason)
  } catch {
    // Web pages may send 1000 and 3000–4999 only, so 1003 becomes 4003.
    closeAsPage(socket, code + 3000, reason)
  }
}

function closeAsPage(socket: SocketLike, code: number, reason: string): void {
  try {
    socket.close(code, reason)
  } catch {
    // It is closed already, in a way that does not show.
  }
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof Error) return error.message
  return typeof error === 'string' && error !== '' ? error : undefined
}

/** Received messages that wait for their receiver, bounded by size. */
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
  readonly maxBytes: number
  readonly onOverflow: () => void
}

/** Pauses the socket while too much waits to be read, where the socket can be paused. */
function createSocketInbox(socket: SocketLike, options: SocketInboxOptions): SocketInbox {
  const { bufferedBytes, maxBytes, onOverflow } = options
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
      } else if (before > maxBytes) onOverflow()
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
