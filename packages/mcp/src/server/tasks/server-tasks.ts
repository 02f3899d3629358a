import { epochMs } from '../../rpc/time/epoch.ts'
import { tasksExtension } from '../../wire/downgrade-initialize.ts'
import type { ServerExtension } from '../extensions.ts'
import { invalidDefinition } from '../feature.ts'
import { askForTask } from './ask-for-task.ts'
import { createKeptResults } from './kept-results.ts'
import { createMemoryTaskStore } from './memory-task-store.ts'
import { createTaskAccess } from './task-access.ts'
import { callAsTask } from './task-calls.ts'
import type { TaskHost } from './task-host.ts'
import { taskMethods } from './task-methods.ts'
import { createTaskQuota } from './task-quota.ts'
import type { TaskStore } from './task-store.ts'
import { subscribeToTasks } from './task-subscriptions.ts'
import { takeUpTask } from './task-takeover.ts'
import { createTaskWaiters } from './task-waiters.ts'

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
const lookMs = 5_000

/** Lets tools with `task` run in the background. Their handlers do not change. */
export function serverTasks(options: ServerTasksOptions = {}): ServerExtension {
  const { store = createMemoryTaskStore() } = options
  let owner: string | undefined
  const host: TaskHost = {
    store,
    access: createTaskAccess(store, (record, call) => takeUpTask(host, record, call)),
    quota: createTaskQuota(atLeast(1, 'maxPerPrincipal', options.maxPerPrincipal ?? 100)),
    kept: createKeptResults(atLeast(1, 'maxBytes', options.maxBytes ?? 64 * 1024 * 1024)),
    waiters: createTaskWaiters(),
    // Made when first needed: Workers have no random values while a module is loaded.
    get owner() {
      return (owner ??= store.processes?.node ?? crypto.randomUUID())
    },
    lease: (clock) =>
      store.processes
        ? { owner: host.owner }
        : { owner: host.owner, until: epochMs(clock) + leaseMs },
    lookMs: options.store && (store.processes?.heartbeatMs ?? lookMs),
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
      listen: (filter, call, tell) => subscribeToTasks(host, filter, call, tell),
    },
  }
}

function atLeast(least: number, option: string, value: number): number {
  if (value >= least) return value
  throw invalidDefinition('serverTasks', `${option} must be at least ${least}`)
}
