/** The thread in which pages of strangers are read. It is ended from outside when it takes too long. */

import { parentPort } from 'node:worker_threads'

import { limitBuffers } from './count-buffers.ts'
import { runHere, type PageTasks, type TaskName } from './page-tasks.ts'
import { mostBuffersMiB, type TaskReply, type TaskRequest } from './thread-contract.ts'

const buffers = limitBuffers(mostBuffersMiB)
const never = new AbortController().signal

parentPort?.on('message', (request: TaskRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply, []))
})

async function answer({ name, input }: TaskRequest): Promise<TaskReply> {
  try {
    const output = await runOrFail(name, input as PageTasks[TaskName]['input'])
    return { kind: 'done', output }
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

async function runOrFail(name: TaskName, input: PageTasks[TaskName]['input']): Promise<unknown> {
  const result = await Promise.allSettled([runHere(name, input, never)])
  buffers.settle() // it says why better than whatever failed without the memory
  const [only] = result
  if (only.status === 'rejected') throw only.reason
  return only.value
}
