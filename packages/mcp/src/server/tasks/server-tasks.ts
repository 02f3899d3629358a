/**
 * `serverTasks()`: lets tools with `task` run in the background. Checks the options and holds the state that all tasks of a server share:
 * the store, the quota of each account, and the clients that wait for a result.
 *
 * The methods are in `task-methods.ts`, one running tool in `task-run.ts`, its record in `task-lifecycle.ts`.
 */

import { epochMs, type Clock } from '../../rpc/clock.ts'
import { tasksExtension } from '../../wire/downgrade-initialize.ts'
import type { Caller } from '../calls/caller.ts'
import type { ContextCaller } from '../capabilities.ts'
import type { ServerExtension } from '../extensions.ts'
import { invalidDefinition } from '../feature.ts'
import { askForTask } from './ask-for-task.ts'
import { createTaskAccess, type TaskAccess } from './task-access.ts'
import { callAsTask } from './task-calls.ts'
import { createStoredResults, type StoredResults } from './task-lifecycle.ts'
import { taskMethods } from './task-methods.ts'
import { createMemoryTaskStore, type TaskStore, type TaskRecord } from './task-store.ts'
import { subscribeToTasks } from './task-subscriptions.ts'
import { recoverTask } from './task-takeover.ts'

/** Options of `serverTasks`: where tasks are kept, for how long, and how many. */
export interface ServerTasksOptions {
  /** @defaultValue `createMemoryTaskStore()` */
  readonly store?: TaskStore | undefined
  /** How long a result is kept; a client of 2025-11-25 can ask for less. @defaultValue 3_600_000 */
  readonly ttlMs?: number | undefined
  /** An `optional` task is answered inline if it ends sooner. @defaultValue 1_000 */
  readonly inlineMs?: number | undefined
  /** The poll interval that clients are told. @defaultValue 1_000 */
  readonly pollIntervalMs?: number | undefined
  /** Running tasks of one principal; ten times as many are remembered. @defaultValue 100 */
  readonly maxPerPrincipal?: number | undefined
  /** Size of the results kept for one principal; beyond it the oldest are dropped. @defaultValue 64 MiB */
  readonly maxBytes?: number | undefined
  /**
   * Whether callers of 2025-11-25 may list their tasks. @defaultValue those whom a guard has verified, and the user of this
   * machine where the tasks are kept in this process
   */
  readonly list?: boolean | undefined
}

/** How long a process counts as alive after it last renewed the lease of a task. */
const leaseMs = 30_000
const pollMs = 5_000

/** Lets tools with `task` run in the background. Their handlers do not change. */
export function serverTasks(options: ServerTasksOptions = {}): ServerExtension {
  const { store = createMemoryTaskStore() } = options
  let owner: string | undefined
  const host: TaskService = {
    store,
    access: createTaskAccess(store, (record, call) => recoverTask(host, record, call)),
    quota: createTaskQuota(atLeast(1, 'maxPerPrincipal', options.maxPerPrincipal ?? 100)),
    stored: createStoredResults(atLeast(1, 'maxBytes', options.maxBytes ?? 64 * 1024 * 1024)),
    waiters: createTaskWaiters(),
    // Made when first needed: Workers have no random values while a module is loaded.
    get owner() {
      return (owner ??= store.processes?.node ?? crypto.randomUUID())
    },
    lease: (clock) =>
      store.processes
        ? { owner: host.owner }
        : { owner: host.owner, until: epochMs(clock) + leaseMs },
    pollMs: options.store && (store.processes?.heartbeatMs ?? pollMs),
    ttlMs: atLeast(0, 'ttlMs', options.ttlMs ?? 3_600_000),
    inlineMs: atLeast(0, 'inlineMs', options.inlineMs ?? 1_000),
    pollIntervalMs: atLeast(0, 'pollIntervalMs', options.pollIntervalMs ?? 1_000),
    mayList: ({ auth, isLocal }) =>
      options.list ?? (auth !== undefined || (isLocal && options.store === undefined)),
  }
  return {
    id: tasksExtension,
    methods: taskMethods(host),
    '~server': {
      capabilities(caller) {
        const requests = { tools: { call: {} } }
        return { tasks: { ...(host.mayList(caller) && { list: {} }), cancel: {}, requests } }
      },
      callTool: (tool, context, run) => callAsTask(host, tool, context, run),
      ask: askForTask,
      listen: (filter, call, notifySession) => subscribeToTasks(host, filter, call, notifySession),
    },
  }
}

function atLeast(least: number, option: string, value: number): number {
  if (value >= least) return value
  throw invalidDefinition('serverTasks', `${option} must be at least ${least}`)
}

/** State that all tasks of one `serverTasks()` share. */
export interface TaskService {
  readonly store: TaskStore
  readonly access: TaskAccess
  readonly quota: TaskQuota
  readonly stored: StoredResults
  readonly waiters: TaskWaiters
  /** The name of this process in leases. */
  readonly owner: string
  /** Returns the lease of this process for the record of a task, starting now. */
  lease(clock: Clock): NonNullable<TaskRecord['lease']>
  /** How often a task is looked at, for hints of the store may be lost; undefined where nobody else changes it. */
  readonly pollMs: number | undefined
  readonly ttlMs: number
  readonly inlineMs: number
  readonly pollIntervalMs: number
  /** False for callers that cannot be told apart: one must not list the tasks of another. */
  mayList(caller: ContextCaller): boolean
}

/** How many tasks one account may have. */
interface TaskQuota {
  /** Takes a place for one more task; undefined if there is none. */
  take(quotaKey: string): TaskSlot | undefined
}

/** The place of one task: while it runs, and while its result is remembered. */
export interface TaskSlot {
  /** The task no longer runs. */
  rest(): void
  /** The task is forgotten. */
  leave(): void
}

/** Tasks remembered for each that may run. */
const keptPerRunning = 10

function createTaskQuota(maxRunning: number): TaskQuota {
  const counts = new Map<string, { running: number; stored: number }>()

  return {
    take(quotaKey) {
      const count = counts.get(quotaKey) ?? { running: 0, stored: 0 }
      if (count.running >= maxRunning || count.stored >= maxRunning * keptPerRunning)
        return undefined
      counts.set(quotaKey, count)
      count.running += 1
      count.stored += 1
      let isRunning = true
      let isStored = true

      function rest(): void {
        if (isRunning) count.running -= 1
        isRunning = false
      }
      return {
        rest,
        leave() {
          rest()
          if (isStored) count.stored -= 1
          isStored = false
          if (count.stored === 0) counts.delete(quotaKey)
        },
      }
    },
  }
}

/** The clients that wait for the result of a task, and can answer its input requests. */
export interface TaskWaiters {
  enter(taskId: string, caller: Caller): Disposable
  /** The last one: a client that calls again no longer waits on its earlier call. */
  newest(taskId: string): Caller | undefined
}

function createTaskWaiters(): TaskWaiters {
  const waiting = new Map<string, Caller[]>()

  return {
    enter(taskId, caller) {
      const callers = waiting.get(taskId) ?? []
      waiting.set(taskId, callers)
      callers.push(caller)
      return {
        [Symbol.dispose]() {
          callers.splice(callers.indexOf(caller), 1)
          if (callers.length === 0) waiting.delete(taskId)
        },
      }
    },
    newest: (taskId) => waiting.get(taskId)?.at(-1),
  }
}
