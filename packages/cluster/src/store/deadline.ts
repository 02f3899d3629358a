import { StoreUnavailable } from './cluster-store.ts'

/** The longest time that a store is asked to keep something, and the longest a lease can be. */
const longestMs = 10 * 365 * 24 * 3_600_000

/** A duration as stores take it: whole milliseconds, at least one. */
export function wholeMs(ms: number): number {
  return Math.min(longestMs, Math.max(1, Math.ceil(ms)))
}

/** The same answer, or `StoreUnavailable` when it has not come after `ms`. */
export async function withDeadline<Answer>(
  answer: Promise<Answer>,
  ms: number,
  engine: string,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StoreUnavailable(`${engine} did not answer within ${ms} ms`))
    }, ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
