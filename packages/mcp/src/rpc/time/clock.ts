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
    const timer: unknown = setTimeout(callback, Math.min(ms, longestTimerMs))
    if (hasUnref(timer)) timer.unref()
    return { [Symbol.dispose]: () => clearTimeout(timer as ReturnType<typeof setTimeout>) } // what setTimeout returned
  },
}

/** Beyond this `setTimeout` fires at once. */
const longestTimerMs = 2 ** 31 - 1

function hasUnref(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}
