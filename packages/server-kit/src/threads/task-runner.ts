import { Worker } from 'node:worker_threads'

import { ToolError } from '@parley/mcp'

import { createSlots } from './slots.ts'
import type { RunTask, TaskReply, TaskRequest, TaskTypes } from './thread-contract.ts'

/** What threads run, how many at once, and with how much memory. */
export interface TaskRunnerOptions {
  /** A built module that calls `answerTasks`: Node 20 runs no thread in TypeScript. */
  readonly entry: URL
  /** Others wait for their turn. @defaultValue 2 */
  readonly threads?: number | undefined
  /** Of one thread. @defaultValue 256 */
  readonly heapMiB?: number | undefined
}

/**
 * Runs tasks in threads of their own, so that whatever the input does to its reader, this thread goes on answering: one
 * that takes too long or too much memory is ended. Threads are started when they are first needed, and kept.
 */
export function createTaskRunner<Tasks extends TaskTypes<Tasks>>({
  entry,
  threads = 2,
  heapMiB = 256,
}: TaskRunnerOptions): RunTask<Tasks> {
  const takeSlot = createSlots(threads)
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
    return reply.output
  }
}

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
      worker.off('message', reply).off('error', fail).off('exit', onExit).unref() // an idle one keeps no program alive
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
    const onExit = () => fail(new Error('the thread that worked on it ended'))
    const giveUp = () => fail(signal.reason as Error) // what aborted says why
    worker.on('message', reply).on('error', fail).on('exit', onExit).ref()
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
