import type { Clock } from './clock.ts'

/** One timer for any number of deadlines. */
export interface Deadlines extends Disposable {
  /** Makes sure the timer fires by `dueAt`. Costs a comparison when it would anyway. */
  arm(dueAt: number): void
}

/**
 * The timer is armed for the earliest deadline. When it fires, `fireDue(now)` ends whatever is due and answers when the
 * next one is, or `Infinity`. Finished work is not disarmed: it is simply no longer found. With `mostMs` the timer fires
 * at least that often, and so does not outlive by longer what it was for.
 */
export function createDeadlines(
  clock: Clock,
  fireDue: (now: number) => number,
  mostMs = Infinity,
): Deadlines {
  let timer: Disposable | undefined
  let armedFor = Infinity

  function arm(dueAt: number): void {
    if (dueAt >= armedFor) return
    timer?.[Symbol.dispose]()
    const now = clock.now()
    armedFor = Math.min(dueAt, now + mostMs)
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
