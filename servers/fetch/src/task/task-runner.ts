import { Worker } from 'node:worker_threads'

import { ToolError } from '@parley/mcp'

import type { RunTask } from './page-tasks.ts'
import { createSlots } from './slots.ts'
import { mostHeapMiB, type TaskReply, type TaskRequest } from './thread-contract.ts'

/** The same from where this file is written and from where it is built: Node 20 runs no thread in TypeScript. */
const builtWorker = new URL('../../dist/task/worker.js', import.meta.url)

/** Pages that are read at once. */
const mostThreads = 2

/** What threads run, and with how much memory. */
export interface TaskRunnerOptions {
  readonly entry?: URL | undefined
  readonly heapMiB?: number | undefined
}

/**
 * Runs tasks in threads of their own, so that whatever a page does to its reader, this thread goes on answering: one
 * that takes too long or too much memory is ended.
 */
export function createTaskRunner(options: TaskRunnerOptions = {}): RunTask {
  const { entry = builtWorker, heapMiB = mostHeapMiB } = options
  const takeSlot = createSlots(mostThreads)
  const idle = new Set<Worker>()

  function start(): Worker {
    const worker = startWorker(entry, heapMiB)
    worker.on('error', () => {}) // whoever waits for it hears of it
    worker.once('exit', () => idle.delete(worker))
    return worker
  }

  return async (name, input, signal) => {
    using slot = await takeSlot(signal)
    void slot
    const [worker = start()] = idle
    idle.delete(worker)
    const reply = await ask(worker, { name, input }, signal).catch(async (error: unknown) => {
      await worker.terminate() // and its memory is free before the next one starts
      throw explain(error, heapMiB)
    })
    idle.add(worker)
    if (reply.kind === 'failed') throw new ToolError(reply.reason)
    return reply.output as never // the thread runs the task of this name
  }
}

/** One for all servers of this process: threads are kept for the next page. */
export const runInThread: RunTask = createTaskRunner()

function startWorker(entry: URL, heapMiB: number): Worker {
  return new Worker(entry, {
    resourceLimits: { maxOldGenerationSizeMb: heapMiB },
    execArgv: [], // as it was built, however this program was started
    stdout: true, // kept from ours: what a library prints would be read as a message of this server
  })
}

function ask(worker: Worker, request: TaskRequest, signal: AbortSignal): Promise<TaskReply> {
  return new Promise<TaskReply>((resolve, reject) => {
    signal.throwIfAborted()
    function end(): void {
      worker.off('message', reply).off('error', fail).off('exit', gone).unref() // an idle one keeps no program alive
      signal.removeEventListener('abort', giveUp)
    }
    function reply(message: TaskReply): void {
      end()
      resolve(message)
    }
    function fail(error: Error): void {
      end()
      reject(error)
    }
    const gone = () => fail(new Error('the thread that reads pages ended'))
    const giveUp = () => fail(signal.reason as Error) // what aborted says why
    worker.on('message', reply).on('error', fail).on('exit', gone).ref()
    signal.addEventListener('abort', giveUp)
    worker.postMessage(request, [])
  })
}

function explain(error: unknown, heapMiB: number): unknown {
  const isHeap =
    error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (!isHeap) return error
  return new ToolError(`It takes more than ${heapMiB} MiB of memory to read.`, { cause: error })
}
