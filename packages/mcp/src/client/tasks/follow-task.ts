import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { Notification } from '../../rpc/message.ts'
import { anySignal } from '../../rpc/signals.ts'
import { isJsonObject } from '../../schema/json.ts'
import { progressParams, type ProgressNotificationParams } from '../../schema/progress.ts'
import { isTerminal } from '../../schema/tasks.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import { respondByUpdate, respondOnStream } from './task-answers.ts'
import type { TaskPort, TaskProtocol } from './task-port.ts'
import { createTaskRequests, type TaskRequests } from './task-requests.ts'
import { taskEnded } from './task-result.ts'
import { readCore, readDetailed, type TaskState } from './task-state.ts'
import { createWakeableSleep } from './wakeable-sleep.ts'

/** Each new state of a task until its end, answering on the way what it asks. Rejects where that cannot be done. */
export async function* followTask(
  port: TaskPort,
  lastState: TaskState | undefined,
  signal: AbortSignal,
): AsyncGenerator<TaskState, void, undefined> {
  const protocol = await port.protocol()
  const over = new AbortController()
  const ending = anySignal(signal, over.signal)
  const pause = createWakeableSleep(port.clock)
  const requests = createTaskRequests(port)
  const answering = {
    signal: ending,
    onAnswered: pause.wake,
    onFailed: (error: unknown) => over.abort(error),
  }
  const answer =
    protocol === 'core'
      ? respondOnStream(port, answering)
      : respondByUpdate(port, requests, answering)
  const listening = port.onNotification((notification) => receive(notification, port, pause.wake))
  const progress = createStatusProgress(port, protocol)
  let isListening = false
  let shown = ''

  try {
    for (let state = lastState; ; state = undefined) {
      state ??= await poll(port, requests, protocol, ending)
      requests.seen(state)
      const text = JSON.stringify(state)
      if (text !== shown) {
        shown = text
        progress(state)
        yield state
      }
      if (isTerminal(state.task)) return
      answer(state)
      if (protocol === 'extension' && !isListening) {
        isListening = true
        listen(port, ending)
      }
      await pause.sleep(pollMs(state), ending)
    }
  } finally {
    listening[Symbol.dispose]()
    over.abort(new Error('the task is no longer followed'))
  }
}

/** How often to ask where a server does not say, and at most. */
const defaultPollMs = 1_000
const minPollMs = 10

function pollMs({ task: { pollIntervalMs = defaultPollMs } }: TaskState): number {
  return Math.max(pollIntervalMs, minPollMs)
}

async function poll(
  { taskId }: TaskPort,
  { request }: TaskRequests,
  protocol: TaskProtocol,
  signal: AbortSignal,
): Promise<TaskState> {
  try {
    const found = await request('tasks/get', {}, signal)
    return protocol === 'core' ? readCore(found, 'tasks/get') : readDetailed(found, 'tasks/get')
  } catch (error) {
    throw isRpcError(error, 'invalid_params') ? taskEnded(taskId, 'expired', error) : error
  }
}

/** Notifications only make it faster: the task is polled anyway. */
function listen({ taskId, request }: TaskPort, signal: AbortSignal): void {
  const timeouts = { idleMs: Infinity, totalMs: Infinity }
  const params = { notifications: { taskIds: [taskId] } }
  request('subscriptions/listen', params, { signal, timeouts }).catch(() => undefined)
}

function receive(
  { method, params }: Notification,
  { taskId, onProgress }: TaskPort,
  wake: () => void,
): void {
  if (method === 'notifications/tasks' || method === 'notifications/tasks/status') {
    if (params['taskId'] === taskId) wake()
  } else if (method === 'notifications/progress' && progressParams(params) === undefined) {
    const { _meta } = params
    const related = isJsonObject(_meta) ? _meta[metaKeys.task] : undefined
    if (!isJsonObject(related) || related['taskId'] !== taskId) return
    const { progressToken: _, ...progress } = params as unknown as ProgressNotificationParams // just checked
    onProgress?.(progress)
  }
}

/** Where tasks are an extension they report no progress, and say in their status how far they are. */
function createStatusProgress(
  { onProgress }: TaskPort,
  protocol: TaskProtocol,
): (state: TaskState) => void {
  let lastStatus: string | undefined
  let count = 0
  return ({ task: { statusMessage } }) => {
    if (protocol === 'core' || statusMessage === undefined || statusMessage === lastStatus) return
    lastStatus = statusMessage
    onProgress?.({ progress: (count += 1), message: statusMessage })
  }
}
