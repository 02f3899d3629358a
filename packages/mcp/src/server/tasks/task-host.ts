import type { Clock } from '../../rpc/time/clock.ts'
import type { KnownCaller } from '../capabilities.ts'
import type { KeptResults } from './kept-results.ts'
import type { TaskAccess } from './task-access.ts'
import type { TaskQuota } from './task-quota.ts'
import type { TaskRecord, TaskStore } from './task-store.ts'
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
  /** What the record of a task says of this process from now on. */
  lease(clock: Clock): NonNullable<TaskRecord['lease']>
  /** How often a task is looked at, for hints of the store may be lost; undefined where nobody else changes it. */
  readonly lookMs: number | undefined
  readonly ttlMs: number
  readonly inlineMs: number
  readonly pollIntervalMs: number
  /** False for callers that cannot be told apart: one must not list the tasks of another. */
  mayList(caller: KnownCaller): boolean
}
