import type { HeldBytes } from '../../rpc/byte-account.ts'
import { McpError } from '../../rpc/errors/mcp-error.ts'
import { defaultLimits, networkMessageBytes } from '../../rpc/limits.ts'
import { systemClock, type Clock } from '../../rpc/time/clock.ts'
import type { Transport } from '../../rpc/transport.ts'
import { iterateMessages } from '../../rpc/transport/receive-messages.ts'
import { isLonger, tooLong } from './message-size.ts'
import { closeError, closeSocket, lostError } from './socket-close.ts'
import { createSocketInbox } from './socket-inbox.ts'
import { closeCodes, readyStates, type SocketEvent, type SocketLike } from './socket-like.ts'
import { createSocketWriter } from './socket-writer.ts'
import { watchSocket } from './watch-socket.ts'

/** How much may be on its way, and for how long nothing. */
export interface WebSocketOptions {
  /** Time without a message before a ping frame, where the socket can ping; as much again before it is lost. 0 is never. @defaultValue 15_000 */
  readonly keepAliveMs?: number | undefined
  /** Of one message that arrives. @defaultValue 4 MiB */
  readonly messageBytes?: number | undefined
  /** Queued, in either direction, before whoever sends is asked to wait; at 64 times as much the socket is cut. @defaultValue 1 MiB */
  readonly bufferedBytes?: number | undefined
  /** For errors and traces. Never a credential. @defaultValue 'websocket' */
  readonly peer?: string | undefined
  /** What time is read from; a virtual one in tests. @defaultValue the clock of this machine */
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
  /** What the peer is told when the transport is closed from here. @defaultValue 1000 */
  closeAs(code: number, reason: string): void
  /** Ends it at once: too much is on its way, or waits. */
  cut(why: string): void
}

/** What only who made the socket knows. */
export interface SocketChannelOptions extends WebSocketOptions {
  /** Bytes that have arrived, so that a long message counts as life before its end. */
  readonly bytesRead?: (() => number) | undefined
  /** What waits to be written counts here. */
  readonly waiting?: HeldBytes | undefined
}

/** As `createWebSocketTransport`, for who also made the socket. */
export function openSocketChannel(
  socket: SocketLike,
  options: SocketChannelOptions,
): SocketChannel {
  const { messageBytes = networkMessageBytes, keepAliveMs = 15_000 } = options
  const { bufferedBytes = defaultLimits.bufferedBytes } = options
  const { peer = 'websocket', clock = systemClock } = options
  const mostBytes = 64 * bufferedBytes
  let { bytesRead = () => 0 } = options
  let frames = 0
  let isUsed = false
  let fault: unknown
  let isEnded = false
  let closing = { code: closeCodes.normal as number, reason: '' }
  let disposed: Promise<void> | undefined
  let markClosed = (): void => {}
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  const inbox = createSocketInbox(socket, {
    bufferedBytes,
    mostBytes,
    onOverflow: () => cut(closeCodes.tryAgainLater, `more than ${mostBytes} bytes are unread here`),
  })
  const writer = createSocketWriter(socket, {
    bufferedBytes,
    mostBytes,
    onOverflow: (why = `more than ${mostBytes} bytes wait to be read`) =>
      cut(closeCodes.tryAgainLater, why),
    waiting: options.waiting,
    clock,
    closedError,
  })
  const watch = watchSocket(socket, {
    clock,
    keepAliveMs,
    heard: () => frames + bytesRead(),
    taken: writer.taken,
    isDeaf: () => inbox.isPaused,
    onSilent: () => fail(lostError('the peer did not answer a ping', peer)),
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
    end(closeError({ code, reason, ...(fault !== undefined && { error: fault }) }, peer))
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
    end(lostError(`the WebSocket was closed from here with code ${code}: ${reason}`, peer))
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
  socket.addEventListener('error', ({ error, message }) => (fault ??= error ?? message ?? 'error'))
  socket.addEventListener('close', onClose)
  socket.on?.('pong', () => void (frames += 1))
  socket.on?.('ping', () => void (frames += 1))
  socket.on?.('upgrade', (response: { readonly socket: { readonly bytesRead: number } }) => {
    bytesRead = () => response.socket.bytesRead
  })
  if (socket.readyState >= readyStates.closing) end(lostError('the WebSocket is not open', peer))

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
