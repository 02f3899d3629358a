import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { Clock } from '../../rpc/time/clock.ts'

/** How often a server may be started for one client: one that ends again and again is given a rest. */
export interface RestartBudget {
  /** Counts a start; the refusal if there were too many that ended. */
  spend(): RpcError | undefined
  /** What was started has ended by itself. */
  ended(): void
}

export function createRestartBudget(
  clock: Clock,
  { count, windowMs }: { readonly count: number; readonly windowMs: number },
): RestartBudget {
  let ends: number[] = []

  return {
    spend() {
      const now = clock.now()
      ends = ends.filter((at) => now - at < windowMs)
      const [oldest] = ends
      if (oldest === undefined || ends.length < count) return undefined
      const retryAfterMs = Math.ceil(oldest + windowMs - now)
      const why = `the server has ended ${ends.length} times within ${seconds(windowMs)} s and is not started again for now`
      return new RpcError('overloaded', `${why}; try again in ${seconds(retryAfterMs)} s`, {
        data: { retryAfterMs },
      })
    },
    ended() {
      ends.push(clock.now())
    },
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1_000)
}
