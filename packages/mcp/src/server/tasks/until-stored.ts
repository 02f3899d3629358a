import type { Clock } from '../../rpc/time/clock.ts'

const shortestRetryMs = 100
const longestRetryMs = 5_000

/** Writes something until the store has it, for as long as somebody might ask for it: undefined after `mostMs`. */
export async function untilStored<Written>(
  write: () => Promise<Written>,
  mostMs: number,
  clock: Clock,
  report: (error: unknown) => void,
): Promise<Written | undefined> {
  const startedAt = clock.now()
  for (let waitMs = shortestRetryMs; ; waitMs = Math.min(longestRetryMs, waitMs * 2)) {
    try {
      return await write()
    } catch (error) {
      if (waitMs === shortestRetryMs) report(error)
      if (clock.now() - startedAt > mostMs) return undefined
    }
    await new Promise<void>((resolve) => void clock.setTimer(resolve, waitMs))
  }
}
