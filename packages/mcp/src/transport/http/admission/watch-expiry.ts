import type { Clock } from '../../../rpc/time/clock.ts'

/** Why a socket or a stream is closed then. */
export const authorizationExpired = 'the authorization has expired'

/** A socket or a stream outlives many requests, but not what its caller was allowed. */
export function watchExpiry(
  expiresAt: number | undefined,
  clock: Clock,
  onExpired: () => void,
): Disposable {
  let timer: Disposable | undefined
  if (expiresAt !== undefined && expiresAt < Infinity) wait(expiresAt)

  /** Timers end early when they are asked for weeks. */
  function wait(until: number): void {
    const leftMs = until - Date.now()
    timer = clock.setTimer(
      () => (leftMs > longestMs ? wait(until) : onExpired()),
      Math.min(leftMs, longestMs),
    )
  }

  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() }
}

const longestMs = 24 * 60 * 60 * 1000
