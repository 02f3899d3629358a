import { parentPort } from 'node:worker_threads'

import { errorMessage } from '@parley/mcp/json'

import { limitBuffers } from './count-buffers.ts'
import type { RunTask, TaskReply, TaskRequest, TaskTypes } from './thread-contract.ts'

/** What a thread may ask for. */
export interface AnswerTasksOptions {
  /** Of buffers, for one task, beside the heap. @defaultValue 256 */
  readonly buffersMiB?: number | undefined
}

/**
 * Answers what `createTaskRunner` asks: the whole program of a thread. A task that fails fails its caller, and one that
 * takes too long is ended from outside.
 */
export function answerTasks<Tasks extends TaskTypes<Tasks>>(
  run: RunTask<Tasks>,
  { buffersMiB = 256 }: AnswerTasksOptions = {},
): void {
  const buffers = limitBuffers(buffersMiB)
  const never = new AbortController().signal

  async function runOrFail({ name, input }: TaskRequest): Promise<unknown> {
    // Whoever asks is bound to the names and inputs of the same table.
    const task = name as keyof Tasks & string
    const result = await Promise.allSettled([
      run(task, input as Tasks[typeof task]['input'], never),
    ])
    buffers.resolve() // it says why better than whatever failed without the memory
    const [only] = result
    if (only.status === 'rejected') throw only.reason
    return only.value
  }

  async function answer(request: TaskRequest): Promise<TaskReply> {
    try {
      return { kind: 'done', output: await runOrFail(request) }
    } catch (error) {
      return { kind: 'failed', reason: errorMessage(error) }
    }
  }

  parentPort?.on('message', (request: TaskRequest) => {
    void answer(request).then((reply) => parentPort?.postMessage(reply, []))
  })
}
