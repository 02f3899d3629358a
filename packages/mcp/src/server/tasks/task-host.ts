import type { KnownCaller } from '../capabilities.ts'
import type { KeptResults } from './kept-results.ts'
import type { TaskAccess } from './task-access.ts'
import type { TaskQuota } from './task-quota.ts'
import type { TaskStore } from './task-store.ts'
import type { TaskWaiters } from './task-waiters.ts'

/** What all tasks of one `serverTasks()` share. */
export interface TaskHost {
  readonly store: TaskStore
  readonly access: TaskAccess
  readonly quota: TaskQuota
  readonly kept: KeptResults
  readonly waiters: TaskWaiters
  /** The name of this process in leases. */
  readonly owner: string
  readonly ttlMs: number
  readonly inlineMs: number
  readonly pollIntervalMs: number
  /** False for callers that cannot be told apart: one must not list the tasks of another. */
  mayList(caller: KnownCaller): boolean
}
