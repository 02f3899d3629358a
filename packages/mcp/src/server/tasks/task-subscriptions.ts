import { principalOf } from '../../rpc/auth-info.ts'
import type { SubscriptionFilter } from '../../schema/subscriptions.ts'
import type { Call } from '../calls/call.ts'
import type { ExtensionSubscription, Tell } from '../extensions.ts'
import { requireTasks } from './task-calls.ts'
import type { TaskHost } from './task-host.ts'
import type { TaskRecord } from './task-store.ts'
import { toDetailedTask } from './task-view.ts'

/** Sends each new state of the tasks that a client listens to; unknown ids are left out. */
export async function subscribeToTasks(
  host: TaskHost,
  { taskIds }: SubscriptionFilter,
  { caller }: Call,
  tell: Tell,
): Promise<ExtensionSubscription | undefined> {
  if (taskIds === undefined) return undefined
  requireTasks('listening to tasks', caller)
  const principal = principalOf(caller.auth)
  const watches: Disposable[] = []
  const accepted: string[] = []
  for (const taskId of new Set(taskIds)) {
    const record = await host.access.find(principal, taskId, caller.clock)
    if (record === undefined) continue
    accepted.push(taskId)
    watches.push(watchTask(host, record, { caller, tell }))
  }
  return {
    accepted: { taskIds: accepted },
    [Symbol.dispose]() {
      for (const watch of watches) watch[Symbol.dispose]()
    },
  }
}

function watchTask(
  { store, access }: TaskHost,
  { principal, taskId, version }: TaskRecord,
  { caller, tell }: Pick<Call, 'caller'> & { readonly tell: Tell },
): Disposable {
  const { codec, clock, onError } = caller
  let told = version
  let shown = ''

  function show(record: TaskRecord | undefined): void {
    if (record === undefined || record.version <= told) return
    told = record.version
    const task = toDetailedTask(record, codec)
    const text = JSON.stringify(task)
    if (text === shown) return // only its lease is new
    shown = text
    tell('notifications/tasks', task, taskId)
  }

  return store.watch(principal, taskId, () => {
    access.find(principal, taskId, clock).then(show, (error: unknown) => {
      onError(error, { severity: 'warning', operation: 'subscriptions/listen' })
    })
  })
}
