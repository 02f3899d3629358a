import type { InputRequest } from '../../schema/input/input.ts'
import type { TaskPort } from './task-port.ts'
import type { TaskRequests } from './task-requests.ts'
import type { TaskState } from './task-state.ts'

/** Has answered what a task asks. */
export type InputTask = (state: TaskState) => void

export interface AnswerOptions {
  /** The task is no longer polled. */
  readonly signal: AbortSignal
  /** Something was answered. */
  readonly onAnswered: () => void
  /** An input request could not be answered. */
  readonly onFailed: (error: unknown) => void
}

/** For tasks as an extension: answers each input request once, however often it is seen. */
export function respondByUpdate(
  { ask, taken }: TaskPort,
  { request: send }: TaskRequests,
  { signal, onAnswered, onFailed }: AnswerOptions,
): InputTask {
  async function answer(key: string, request: InputRequest): Promise<void> {
    const inputResponses = await ask({ [key]: request }, signal)
    await send('tasks/update', { inputResponses }, signal)
  }

  return ({ task, inputRequests = {} }) => {
    if (task.status !== 'input_required') return
    for (const [key, request] of Object.entries(inputRequests)) {
      if (taken.has(key)) continue
      taken.add(key)
      answer(key, request).then(onAnswered, onFailed)
    }
  }
}

/** In 2025-11-25 the server sends input requests while the client waits for the result. */
export function respondOnStream(
  port: TaskPort,
  { signal, onAnswered }: Pick<AnswerOptions, 'signal' | 'onAnswered'>,
): InputTask {
  const { taskId } = port
  let isWaiting = false

  /** It may fail or break off: polling the task shows its state. */
  async function wait(): Promise<void> {
    isWaiting = true
    const timeouts = { idleMs: Infinity, totalMs: Infinity }
    try {
      await port.request('tasks/result', { taskId }, { signal, timeouts })
      onAnswered()
    } catch {
      isWaiting = false // once more when it is seen asking again
    }
  }

  return ({ task }) => {
    if (task.status === 'input_required' && !isWaiting) void wait()
  }
}
