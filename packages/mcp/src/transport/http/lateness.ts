import type { Clock } from '../../rpc/clock.ts'

/** Calls back after a fixed time, for any number of waits at once and with one timer for all of them. */
export interface Lateness {
  /** Disposing it before then cancels it. */
  after(callback: () => void): Disposable
}

interface Wait extends Disposable {
  readonly dueAt: number
  readonly callback: () => void
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
      const wait: Wait = {
        dueAt: clock.now() + ms,
        callback,
        [Symbol.dispose]: () => void waits.delete(wait),
      }
      waits.add(wait)
      arm(ms)
      return wait
    },
  }
}
