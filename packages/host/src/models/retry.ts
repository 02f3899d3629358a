import { setTimeout } from 'node:timers/promises'

import type { Failure } from './failure.ts'

/** How often and how long a model is tried again before its first token. */
export interface RetryOptions {
  /** All in all. 1 never tries again. @defaultValue 4 */
  readonly maxAttempts?: number | undefined
  /** Before the second try; doubles each time. @defaultValue 500 */
  readonly minDelayMs?: number | undefined
  /** A provider that asks for a longer pause is not tried again. @defaultValue 60_000 */
  readonly maxDelayMs?: number | undefined
}

/** How long to wait before another try, or nothing if there is to be none. */
export function retryDelay(
  failure: Failure,
  attempt: number,
  { maxAttempts = 4, minDelayMs = 500, maxDelayMs = 60_000 }: RetryOptions,
): number | undefined {
  if (!failure.isRetryable || attempt >= maxAttempts) return undefined
  const { retryAfterMs } = failure
  if (retryAfterMs !== undefined) return retryAfterMs > maxDelayMs ? undefined : retryAfterMs
  const backOff = minDelayMs * 2 ** (attempt - 1)
  // Up to a quarter more: callers that failed together do not come back together.
  return Math.min(maxDelayMs, Math.round(backOff * (1 + Math.random() / 4)))
}

/** False if the signal was aborted meanwhile. */
export async function pause(delayMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await setTimeout(delayMs, undefined, { signal })
    return true
  } catch {
    return false // it fails for the signal only
  }
}
