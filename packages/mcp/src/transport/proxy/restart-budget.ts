import type { Clock } from '../../rpc/clock.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'

/** How often a server may be opened for one client: one that fails again and again is given a rest. */
export interface RestartBudget {
  /** The refusal if it has failed too often. */
  rejection(): RpcError | undefined
  /** It could not be opened, or has ended by itself. */
  failed(reason: string): void
}

export function createRestartBudget(
  clock: Clock,
  { count, windowMs }: { readonly count: number; readonly windowMs: number },
): RestartBudget {
  let failures: number[] = []
  let lastReason = ''

  return {
    rejection() {
      const now = clock.now()
      failures = failures.filter((at) => now - at < windowMs)
      const [oldest] = failures
      if (oldest === undefined || failures.length < count) return undefined
      const retryAfterMs = Math.ceil(oldest + windowMs - now)
      const why = `the server has failed ${failures.length} times within ${seconds(windowMs)} s (last: ${lastReason})`
      return new RpcError('overloaded', `${why}; try again in ${seconds(retryAfterMs)} s`, {
        data: { retryAfterMs },
      })
    },
    failed(reason) {
      failures.push(clock.now())
      lastReason = reason
    },
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1_000)
}
