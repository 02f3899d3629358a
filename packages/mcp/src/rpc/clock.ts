/**
 * Time: the `Clock` that everything reads, and timers that many users share.
 *
 * `createDeadlines` keeps one timer for many deadlines; `createSharedTimer` keeps one for entries that all wait equally long;
 * `inTurns` lets long loops yield. Whatever waits for a time limit takes a `Clock`, so that tests can pass a virtual one.
 */
import type { MaybePromise } from './promise.ts'
import { ShortLivedList } from './short-lived.ts'

/** Time as an option, so that tests own it. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number
  /** Calls back once after `ms`; disposing it before then cancels it. Never keeps the process alive by itself. */
  setTimer(callback: () => void, ms: number): Disposable
}

/** The clock of this machine. Its timers do not keep a process alive: channels do. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimer(callback, ms) {
    const timer: unknown = setTimeout(callback, Math.min(ms, maxTimerMs))
    if (hasUnref(timer)) timer.unref()
    return { [Symbol.dispose]: () => clearTimeout(timer as ReturnType<typeof setTimeout>) } // what setTimeout returned
  },
}

/** Beyond this `setTimeout` fires at once. */
const maxTimerMs = 2 ** 31 - 1

function hasUnref(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}

/** One timer for any number of deadlines. */
export interface Deadlines extends Disposable {
  /** Makes sure the timer fires by `dueAt`. Costs a comparison when it would anyway. */
  arm(dueAt: number): void
}

/**
 * The timer is armed for the earliest deadline. When it fires, `fireDue(now)` ends whatever is due and answers when the
 * next one is, or `Infinity`. Finished work is not disarmed: it is simply no longer found. With `maxMs` the timer fires
 * at least that often, and so does not outlive by longer what it was for.
 */
export function createDeadlines(
  clock: Clock,
  fireDue: (now: number) => number,
  maxMs = Infinity,
): Deadlines {
  let timer: Disposable | undefined
  let armedFor = Infinity

  function arm(dueAt: number): void {
    if (dueAt >= armedFor) return
    timer?.[Symbol.dispose]()
    const now = clock.now()
    armedFor = Math.min(dueAt, now + maxMs)
    timer = clock.setTimer(fire, Math.max(0, armedFor - now))
  }

  function fire(): void {
    timer = undefined
    armedFor = Infinity
    const next = fireDue(clock.now())
    if (next !== Infinity) arm(next)
  }

  return {
    arm,
    [Symbol.dispose]() {
      timer?.[Symbol.dispose]()
      timer = undefined
      armedFor = Infinity
    },
  }
}

/** Calls back after a fixed time, never for `Infinity`, for any number of waits at once and with one timer for all of them. */
export interface SharedTimer {
  /** Disposing it before then cancels it. */
  after(callback: () => void): Disposable
}

/** One timer for many requests: a timer for each would cost more than the rest of a small request. */
export function createSharedTimer(clock: Clock, ms: number): SharedTimer {
  const waits = new ShortLivedList<Wait>()
  let timer: Disposable | undefined

  /** A class, because several are made for every request; in here, so that a bundle without a timer has none of it. */
  class Wait implements Disposable {
    index = -1
    readonly dueAt: number
    readonly callback: () => void

    constructor(callback: () => void) {
      this.dueAt = clock.now() + ms
      this.callback = callback
    }

    [Symbol.dispose](): void {
      waits.delete(this)
    }
  }

  function fire(): void {
    timer = undefined
    const now = clock.now()
    let next = Infinity
    for (const wait of waits) {
      if (wait.dueAt > now) next = Math.min(next, wait.dueAt)
      else if (waits.delete(wait)) wait.callback()
    }
    if (next !== Infinity) arm(next - now)
  }

  function arm(restMs: number): void {
    if (restMs < Infinity) timer ??= clock.setTimer(fire, restMs)
  }

  return {
    after(callback) {
      const wait = new Wait(callback)
      waits.add(wait)
      arm(ms)
      return wait
    },
  }
}

const offsets = new WeakMap<Clock, number>()

/** Milliseconds since the epoch: of this machine, or as far from when it was first asked as a clock of one's own went. */
export function epochMs(clock: Clock): number {
  if (clock === systemClock) return Date.now()
  const offset = offsets.get(clock) ?? Date.now() - clock.now()
  offsets.set(clock, offset)
  return Math.floor(offset + clock.now())
}

/** Others wait no longer than this for work of any length. */
const turnMs = 5

/** Works on one item after the other, and lets others in between when that has taken a while. Never rejects unless `work` throws. */
export function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
): MaybePromise<void> {
  let next = 0

  function turn(): MaybePromise<void> {
    const endsAt = performance.now() + turnMs
    for (const item of items.slice(next)) {
      work(item)
      next += 1
      if (performance.now() > endsAt && next < items.length) return later().then(turn)
    }
  }

  return turn()
}

/** A whole turn of the event loop: promises alone let nobody else in. */
function later(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0))
}
