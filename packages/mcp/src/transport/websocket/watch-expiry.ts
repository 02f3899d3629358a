import type { AuthInfo } from '../../rpc/auth-info.ts'
import type { Clock } from '../../rpc/clock.ts'

/** A socket outlives many requests, but not what its caller was allowed. */
export function watchExpiry(
  auth: AuthInfo | undefined,
  clock: Clock,
  onExpired: () => void,
): Disposable {
  let timer: Disposable | undefined
  if (auth && auth.expiresAt < Infinity) wait(auth.expiresAt)

  /** Timers end early when they are asked for weeks. */
  function wait(expiresAt: number): void {
    const leftMs = expiresAt - Date.now()
    timer = clock.setTimer(
      () => (leftMs > longestMs ? wait(expiresAt) : onExpired()),
      Math.min(leftMs, longestMs),
    )
  }

  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() }
}

const longestMs = 24 * 60 * 60 * 1000
