import type { Clock } from '../../rpc/clock.ts'

/** Calls back after a fixed time, for any number of waits at once and with one timer for all of them. */
export interface Lateness {
  /** Disposing it before then cancels it. */
  after(callback: () => void): Disposable
}

/** A class, because several are made for every request. */
class Wait implements Disposable {
  readonly dueAt: number
  readonly callback: () => void
  private readonly waits: Set<Wait>

  constructor(waits: Set<Wait>, dueAt: number, callback: () => void) {
    this.waits = waits
    this.dueAt = dueAt
    this.callback = callback
  }

  [Symbol.dispose](): void {
    this.waits.delete(this)
  }
}

/** A timer of its own for every request costs more than all else that is done for a small one. */
export function createLateness(clock: Clock, ms: number): Lateness {
  const waits = new Set<Wait>() // the oldest first, as all take the same time
  let timer: Disposable | undefined

  function fire(): void {
    timer = undefined
    const now = clock.now()
    for (const wait of waits) {
      if (wait.dueAt > now) return arm(wait.dueAt - now)
      waits.delete(wait)
      wait.callback()
    }
  }

  function arm(restMs: number): void {
    timer ??= clock.setTimer(fire, restMs)
  }

  return {
    after(callback) {
      const wait = new Wait(waits, clock.now() + ms, callback)
      waits.add(wait)
      arm(ms)
      return wait
    },
  }
}
