import type { Clock } from '../../rpc/time/clock.ts'
import { readyStates, type SocketLike } from './socket-like.ts'

/** What shows that a peer is there, and who hears that it is not. */
export interface WatchOptions {
  readonly clock: Clock
  /** Time without a message before a ping; as much again before the peer counts as gone. */
  readonly keepAliveMs: number
  /** Grows whenever anything arrives. */
  readonly heard: () => number
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
  const { clock, keepAliveMs, heard, taken, isDeaf } = options
  if (!(keepAliveMs > 0) || keepAliveMs === Infinity) return { [Symbol.dispose]: () => {} }
  const tickMs = keepAliveMs / ticksBeforePing
  let heardBefore = heard()
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
    const now = heard()
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
