import type { ClusterLeases } from '../store/cluster-store.ts'
import { letExit } from '../store/deadline.ts'

/** Which part of something a process has that all processes have together. */
export interface EqualShare {
  start(): Promise<void>
  stop(): void
  /** From 0 to 1. */
  share(): number
}

/** Counts the processes that are alive with every heartbeat; while they cannot be counted, the last count holds. */
export function createEqualShare(
  leases: Pick<ClusterLeases, 'count'>,
  heartbeatMs: number,
  onError: (error: unknown) => void,
): EqualShare {
  let count = 1
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  async function poll(): Promise<void> {
    count = Math.max(1, await leases.count())
  }

  function lookLater(): void {
    if (isStopped) return
    timer = setTimeout(() => {
      poll()
        .catch((error: unknown) => {
          if (!isStopped) onError(error)
        })
        .finally(lookLater)
    }, heartbeatMs)
    letExit(timer)
  }

  return {
    async start() {
      await poll()
      lookLater()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
    share: () => 1 / count,
  }
}
