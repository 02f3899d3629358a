import { availableParallelism } from 'node:os'

import type { ClusterOptions } from '../cluster/create-cluster.ts'
import type { RemoteStoreOptions } from './remote-store.ts'

/** How many processes, and what they share. Without `secret` the parent makes one for its children. */
export interface ProcessesOptions extends Partial<ClusterOptions>, RemoteStoreOptions {
  /** @defaultValue 'auto', one for each core */
  readonly processes?: number | 'auto' | undefined
  /** Hears of a process that ended unasked and is started again. @defaultValue a line on standard error */
  readonly onLost?: ((lost: LostProcess) => void) | undefined
}

/** A process that ended unasked. */
export interface LostProcess {
  /** Its process id; undefined if it could not be started. */
  readonly pid: number | undefined
  /** Its exit code; null if a signal ended it. */
  readonly code: number | null
  /** The signal that ended it; null if it exited by itself. */
  readonly signal: string | null
}

/** How many processes that is here. Throws if it is no such number. */
export function countProcesses(processes: number | 'auto' = 'auto'): number {
  const count = processes === 'auto' ? availableParallelism() : processes
  if (Number.isInteger(count) && count >= 1 && count <= 1_024) return count
  throw new Error(`processes ${count} is out of range: use 1 to 1024, or 'auto'`)
}
