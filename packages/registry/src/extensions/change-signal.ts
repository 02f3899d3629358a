import { readSequence } from '../storage/read-changes.ts'
import type { RegistryDatabase } from '../storage/tables.ts'

/** Says when something has changed, also by another process. */
export interface ChangeSignal {
  /** Resolves once there is a change after this number, when the time is over, or when the signal aborts. */
  readonly wait: (after: number, timeoutMs: number, signal: AbortSignal) => Promise<void>
  /** False while as many wait as may. */
  readonly hasCapacity: () => boolean
  readonly close: () => void
}

const pollMs = 500
/** Callers that wait at once. */
const maxWaiting = 1_000

/** One look at the database for all who wait; none while nobody does. */
export function createChangeSignal({ queries }: RegistryDatabase): ChangeSignal {
  const waiting = new Set<{ readonly after: number; readonly wake: () => void }>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    timer = undefined
    try {
      const sequence = await readSequence(queries)
      for (const item of waiting) if (sequence > item.after) item.wake()
    } catch {
      // The database is away; who waits is told by their own next question.
    }
    schedule()
  }

  function schedule(): void {
    if (waiting.size === 0 || timer !== undefined) return
    timer = setTimeout(() => void look(), pollMs)
    timer.unref()
  }

  return {
    hasCapacity: () => waiting.size < maxWaiting,
    async wait(after, timeoutMs, signal) {
      if (signal.aborted) return
      await new Promise<void>((resolve) => {
        const waiter = { after, wake: done }
        const late = setTimeout(done, timeoutMs)
        function done(): void {
          clearTimeout(late)
          signal.removeEventListener('abort', done)
          waiting.delete(waiter)
          resolve()
        }
        signal.addEventListener('abort', done)
        waiting.add(waiter)
        schedule()
      })
    },
    close() {
      clearTimeout(timer)
      for (const item of waiting) item.wake()
    },
  }
}
