import { principalOf } from '../../rpc/auth-info.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import { isTerminal } from '../../schema/tasks.ts'
import type { Call } from '../calls/call.ts'
import type { ExtensionSubscription, Notify } from '../extensions.ts'
import type { TaskService } from './server-tasks.ts'
import { requireTasks } from './task-calls.ts'
import type { TaskRecord } from './task-store.ts'
import { toDetailedTask } from './task-view.ts'

/** Sends each new state of the tasks that a client listens to; unknown ids are left out. */
export async function subscribeToTasks(
  host: TaskService,
  { taskIds }: SubscriptionFilter,
  call: Call,
  notifySession: Notify,
): Promise<ExtensionSubscription | undefined> {
  if (taskIds === undefined) return undefined
  const { caller } = call
  requireTasks('listening to tasks', caller)
  const principal = principalOf(caller.auth)
  const watches: Disposable[] = []
  const accepted: string[] = []
  for (const taskId of new Set(taskIds)) {
    const record = await host.access.find(principal, taskId, call)
    if (record === undefined) continue
    accepted.push(taskId)
    watches.push(watchTask(host, record, call, notifySession))
  }
  return {
    accepted: { taskIds: accepted },
    [Symbol.dispose]() {
      for (const watch of watches) watch[Symbol.dispose]()
    },
  }
}

function watchTask(
  { store, access, pollMs }: TaskService,
  first: TaskRecord,
  call: Call,
  notifySession: Notify,
): Disposable {
  const { principal, taskId, version } = first
  const { codec, clock, onError } = call.caller
  const watch = store.watch(principal, taskId, poll)
  let timer: Disposable | undefined
  let reportedVersion = version
  let shown = ''

  function show(record: TaskRecord | undefined): void {
    if (record === undefined || record.version <= reportedVersion) return
    reportedVersion = record.version
    const task = toDetailedTask(record, codec)
    const text = JSON.stringify(task)
    if (text === shown) return // only its lease is new
    shown = text
    notifySession('notifications/tasks', task, taskId)
    if (isTerminal(record)) stop() // nothing follows
  }

  function poll(): void {
    access.find(principal, taskId, call).then(show, (error: unknown) => {
      onError(error, { severity: 'warning', operation: 'subscriptions/listen' })
    })
  }

  /** A hint may be lost, and a process that is lost gives none. */
  function lookLater(ms: number): void {
    timer = clock.setTimer(() => {
      poll()
      lookLater(ms)
    }, ms)
  }

  function stop(): void {
    watch[Symbol.dispose]()
    timer?.[Symbol.dispose]()
  }

  if (pollMs !== undefined && !isTerminal(first)) lookLater(pollMs)
  return { [Symbol.dispose]: stop }
}
