import type { KnownCaller } from '../capabilities.ts'
import type { KeptResults } from './kept-results.ts'
import type { TaskAccess } from './task-access.ts'
import type { TaskQuota } from './task-quota.ts'
import type { TaskStore } from './task-store.ts'
import type { TaskWaiters } from './task-waiters.ts'

/** What all tasks of one `serverTasks()` have in common. */
export interface TaskHost {
  readonly store: TaskStore
  readonly access: TaskAccess
  readonly quota: TaskQuota
  readonly kept: KeptResults
  readonly waiters: TaskWaiters
  /** This process, in leases. */
  readonly owner: string
  readonly ttlMs: number
  readonly inlineMs: number
  readonly pollIntervalMs: number
  /** Whether a caller may list its tasks: no stranger may see those of another. */
  mayList(caller: KnownCaller): boolean
}
