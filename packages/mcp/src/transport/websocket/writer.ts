/**
 * Writes messages onto a socket, and says when to wait.
 *
 * Sends at once while the socket takes data, and queues within a limit otherwise. `watchSocket` finds a peer that is gone or does not
 * read, by pings and by what stays unread.
 * `transport.ts` creates one for each socket.
 */
import { systemClock, type Clock } from '../../rpc/clock.ts'
import type { MemoryShare } from '../../rpc/memory-budget.ts'
import { markHandled } from '../../rpc/promise.ts'
import type { OutgoingMessage } from '../../rpc/transport.ts'
import { readyStates, type SocketLike } from './socket-like.ts'

/** One message per text frame onto a socket. */
export interface SocketWriter {
  /** The same as `Transport.send`. */
  send(message: OutgoingMessage): Promise<void> | void
  /** Later sends reject with `error`; who waits for room is let go, or told `broken`. */
  end(error: Error, broken?: Error): void
  /** How many bytes have left the queue so far; only its growth means something. */
  taken(): number
}

/** Bounds of what waits, and who is told. */
export interface SocketWriterOptions {
  /** Limit for data that waits to be written before `send` asks its caller to wait. */
  readonly bufferedBytes: number
  /** Limit for all waiting data, once the peer has had time to read some of it. */
  readonly maxBytes: number
  readonly onOverflow: (why?: string) => void
  /** Counts the memory of waiting data. */
  readonly waiting?: MemoryShare | undefined
  readonly clock: Clock
  readonly closedError: () => Error
}

/** Writes at once; what is sent while the socket opens goes out when it is open. */
export function createSocketWriter(socket: SocketLike, options: SocketWriterOptions): SocketWriter {
  const { bufferedBytes, maxBytes, onOverflow, clock } = options
  let early: string[] = [] // sent before the socket was open
  let earlySize = 0
  let queued = 0 // all that ever was in the socket's queue
  let ending: Error | undefined
  let drained: Drain | undefined
  let fullSince = 0

  function buffered(): number {
    return earlySize + (socket.bufferedAmount ?? 0)
  }

  function write(text: string): void {
    const before = socket.bufferedAmount ?? 0
    socket.send(text)
    queued += Math.max(0, (socket.bufferedAmount ?? 0) - before)
  }

  /** Sockets do not tell when they have room, so we look. */
  function poll(): void {
    if (!drained) return
    if (buffered() < bufferedBytes) return openDrain()
    options.waiting?.resize(2 * buffered()) // less than before, unless it was refused
    systemClock.setTimer(poll, pollMs)
  }

  function openDrain(): void {
    options.waiting?.resize(0)
    drained?.open()
    drained = undefined
  }

  function waitForRoom(): Promise<void> {
    if (!drained) {
      drained = createDrain()
      fullSince = clock.now()
      systemClock.setTimer(poll, pollMs)
    }
    return drained.promise
  }

  /** A burst of answers is written before any peer could have read the first of them. */
  function isOverflowing(): boolean {
    return drained !== undefined && buffered() > maxBytes && clock.now() - fullSince > burstMs
  }

  socket.addEventListener('open', () => {
    const texts = early
    early = []
    earlySize = 0
    if (ending) return
    for (const text of texts) write(text)
  })

  return {
    send({ text }) {
      if (ending) return markHandled(Promise.reject(ending))
      if (isOverflowing()) {
        onOverflow()
        return markHandled(Promise.reject(ending ?? options.closedError()))
      }
      const excess = isLong(text) && options.waiting?.resize(2 * (buffered() + text.length))
      if (excess) {
        onOverflow(excess.message)
        return markHandled(Promise.reject(ending ?? options.closedError()))
      }
      if (socket.readyState === readyStates.connecting) {
        early.push(text)
        earlySize += text.length
      } else if (socket.readyState === readyStates.open) write(text)
      else return markHandled(Promise.reject(options.closedError()))
      if (buffered() < bufferedBytes) return void options.waiting?.resize(0)
      const rejection = options.waiting?.resize(2 * buffered()) // a character may take two bytes
      if (!rejection) return waitForRoom()
      onOverflow(rejection.message)
      return markHandled(Promise.reject(ending ?? options.closedError()))
    },
    end(error, broken) {
      ending ??= error
      early = []
      if (broken) drained?.fail(broken)
      else drained?.open()
      drained = undefined
    },
    taken: () => queued - (socket.bufferedAmount ?? 0),
  }
}

/** Checks whether a text is counted before it is written; shorter ones are counted afterwards. */
function isLong({ length }: string): boolean {
  return length > 64 * 1024
}

const pollMs = 4
const burstMs = 5_000

interface Drain {
  readonly promise: Promise<void>
  open(): void
  fail(error: Error): void
}

function createDrain(): Drain {
  let open = (): void => {}
  let fail = (_: Error): void => {}
  const promise = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise: markHandled(promise), open, fail }
}

/** The signs that a peer is there, and the listener for its absence. */
export interface WatchOptions {
  readonly clock: Clock
  /** Time without a message before a ping; as much again before the peer counts as gone. */
  readonly keepAliveMs: number
  /** Grows whenever anything arrives. */
  readonly received: () => number
  /** Grows whenever the peer takes something. */
  readonly taken: () => number
  /** We have stopped listening ourselves. */
  readonly isDeaf: () => boolean
  /** Nothing came, not even the answer to a ping. */
  readonly onSilent: () => void
  /** The peer does not take what we send. */
  readonly onTooSlow: () => void
}

/** Finds a peer that has gone without a word, and one that does not read. */
export function watchSocket(socket: SocketLike, options: WatchOptions): Disposable {
  const { clock, keepAliveMs, received, taken, isDeaf } = options
  if (!(keepAliveMs > 0) || keepAliveMs === Infinity) return { [Symbol.dispose]: () => {} }
  const tickMs = keepAliveMs / ticksBeforePing
  let heardBefore = received()
  let silentTicks = 0
  let takenBefore = taken()
  let unreadMs = 0
  let timer: Disposable | undefined = clock.setTimer(tick, tickMs)

  function tick(): void {
    timer = clock.setTimer(tick, tickMs)
    if (socket.readyState !== readyStates.open) return
    const waiting = socket.bufferedAmount ?? 0
    if (isTooSlow(waiting)) return options.onTooSlow()
    // A ping would stand behind what waits to be written, and its answer before a socket we do not read.
    if (isAlive() || waiting > 0 || isDeaf()) silentTicks = 0
    else if (socket.ping) sound()
  }

  function isAlive(): boolean {
    const now = received()
    const isNew = now !== heardBefore
    heardBefore = now
    return isNew
  }

  function sound(): void {
    silentTicks += 1
    if (silentTicks === ticksBeforePing) socket.ping?.()
    if (silentTicks >= 2 * ticksBeforePing) options.onSilent()
  }

  /** One large message counts as taken only when all of it is, so more is given more time. */
  function isTooSlow(waiting: number): boolean {
    const now = taken()
    unreadMs = waiting === 0 || now !== takenBefore ? 0 : unreadMs + tickMs
    takenBefore = now
    return unreadMs >= 2 * keepAliveMs + waiting / slowestBytesPerMs
  }

  return {
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]()
      timer = undefined
    },
  }
}

const ticksBeforePing = 3
const slowestBytesPerMs = 64
