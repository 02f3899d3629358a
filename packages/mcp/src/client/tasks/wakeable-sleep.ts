import type { Clock } from '../../rpc/clock.ts'
import { onAbort } from '../../rpc/signals.ts'

/** A sleep that can be ended early. */
export interface WakeableSleep {
  /** Ends the sleep now, or the next one before it begins. */
  wake(): void
  /** Resolves after `ms` or when woken. Rejects with the signal's reason when that aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export function createWakeableSleep(clock: Clock): WakeableSleep {
  let isAwake = false
  let resume: (() => void) | undefined

  return {
    wake() {
      isAwake = true
      resume?.()
    },
    async sleep(ms, signal) {
      signal.throwIfAborted()
      const timers: Disposable[] = []
      try {
        await new Promise<void>((resolve, reject) => {
          resume = resolve
          timers.push(clock.setTimer(resolve, ms))
          timers.push(onAbort(signal, () => reject(signal.reason)))
          if (isAwake) resolve()
        })
      } finally {
        isAwake = false
        resume = undefined
        for (const each of timers) each[Symbol.dispose]()
      }
    },
  }
}
