import { onAbort } from '../../rpc/abort-listeners.ts'
import type { Clock } from '../../rpc/time/clock.ts'

/** Ends a wait before its time. */
export interface Bell {
  /** Whoever waits goes on, or does not begin to. */
  ring(): void
  /** Until it rings or the time is over; rejects with the signal's reason when that aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export function createBell(clock: Clock): Bell {
  let hasRung = false
  let wake: (() => void) | undefined

  return {
    ring() {
      hasRung = true
      wake?.()
    },
    async wait(ms, signal) {
      signal.throwIfAborted()
      const held: Disposable[] = []
      try {
        await new Promise<void>((resolve, reject) => {
          wake = resolve
          held.push(clock.setTimer(resolve, ms))
          held.push(onAbort(signal, () => reject(signal.reason)))
          if (hasRung) resolve()
        })
      } finally {
        hasRung = false
        wake = undefined
        for (const each of held) each[Symbol.dispose]()
      }
    },
  }
}
