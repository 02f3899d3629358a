import type { Clock } from '../rpc/clock.ts'

/** A clock in the hands of a test. */
export interface VirtualClock extends Clock {
  /** Fires what is due, in order, letting promises settle in between. Rejects with what a callback throws. */
  advance(ms: number): Promise<void>
  /** Timers not yet due. */
  readonly pending: number
}

/** Time that passes only when told to. */
export function createVirtualClock(startMs = 0): VirtualClock {
  const timers: Timer[] = [] // by time, then by age
  let now = startMs
  let lastAdvance = Promise.resolve()

  async function advanceTo(end: number): Promise<void> {
    await untilIdle()
    let firedNow = 0
    for (let timer = timers[0]; timer && timer.at <= end; timer = timers[0]) {
      firedNow = timer.at > now ? 1 : firedNow + 1
      if (firedNow > maxAtOnce) {
        throw new Error(
          `over ${maxAtOnce} timers at ${now} ms: one keeps setting itself without a delay`,
        )
      }
      now = Math.max(now, timer.at)
      timers.shift()
      timer.callback()
      await untilIdle()
    }
    now = end
  }

  return {
    now: () => now,
    setTimer(callback, ms) {
      const timer = { at: now + (ms > 0 ? ms : 0), callback }
      const later = timers.findIndex(({ at }) => at > timer.at)
      timers.splice(later === -1 ? timers.length : later, 0, timer)
      return {
        [Symbol.dispose]() {
          const index = timers.indexOf(timer)
          if (index !== -1) timers.splice(index, 1)
        },
      }
    },
    advance(ms) {
      if (!(ms >= 0)) return Promise.reject(new RangeError(`time cannot pass by ${ms} ms`))
      const advancing = lastAdvance.then(() => advanceTo(now + ms))
      lastAdvance = advancing.catch(() => {}) // whoever asked for it has the error
      return advancing
    },
    get pending() {
      return timers.length
    },
  }
}

interface Timer {
  readonly at: number
  readonly callback: () => void
}

const maxAtOnce = 10_000

/**
 * Lets everything run that needs no time to pass. All promises settle before the next task of the event loop; a second
 * task lets what was waiting for the first, such as a stream, settle as well.
 */
export async function untilIdle(): Promise<void> {
  await nextTask()
  await nextTask()
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel === 'undefined') return void setTimeout(resolve)
    // Not `setTimeout`, which takes a millisecond or more.
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
