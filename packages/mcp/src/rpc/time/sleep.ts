import { onAbort } from '../abort-listeners.ts'
import type { Clock } from './clock.ts'

/** Waits; rejects with the signal's reason when that aborts first. */
export async function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const timer = clock.setTimer(() => {
      abortion[Symbol.dispose]()
      resolve()
    }, ms)
    const abortion = onAbort(signal, () => {
      timer[Symbol.dispose]()
      reject(signal.reason)
    })
  })
}
