/**
 * Runs programs in threads: the side of the sandbox that a host uses. Decides when a program runs, in which thread, and whether that
 * thread is used again: only by the same caller, and only after a program that ended by itself.
 *
 * Guarantees: nothing is loaded or started before the first program; `run` never rejects for what a program does; after it is
 * disposed no thread is left. `run-in-thread.ts` is one run, `worker.ts` the other side of it.
 */

import { anySignal } from '@parley/mcp/signals'

import { bytesInWords, resolveSandboxLimits, type SandboxLimits } from './limits.ts'
import { createProgramTurns } from './program-turns.ts'
import type { ProgramOutcome, RunProgramOptions } from './program.ts'
import { cancelledText, failed, runInThread, startThread, type Thread } from './run-in-thread.ts'

/** What a sandbox is made with. */
export interface SandboxOptions {
  /** Bounds of programs and of the sandbox. */
  readonly limits?: SandboxLimits | undefined
}

/** Runs programs. */
export interface Sandbox extends AsyncDisposable {
  /** Runs the body of an async function. Never rejects for what the program does. */
  run(program: string, options?: RunProgramOptions): Promise<ProgramOutcome>
}

const idleMs = 30_000

/** Starts nothing yet. Dispose it: that ends the programs that run. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const limits = resolveSandboxLimits(options.limits)
  const turns = createProgramTurns(limits)
  const idle = new Map<string, { readonly thread: Thread; readonly timer: NodeJS.Timeout }>()
  const closing = new AbortController()
  const runs = new Set<Promise<ProgramOutcome>>()

  async function takeThread(caller: string): Promise<Thread> {
    const found = idle.get(caller)
    if (found === undefined) return startThread()
    idle.delete(caller)
    clearTimeout(found.timer)
    found.thread.worker.ref()
    return found.thread
  }

  function keepThread(caller: string, thread: Thread): void {
    if (closing.signal.aborted || idle.has(caller) || idle.size >= limits.programs) {
      void thread.worker.terminate()
      return
    }
    thread.worker.unref()
    const timer = setTimeout(() => {
      idle.delete(caller)
      void thread.worker.terminate()
    }, idleMs)
    timer.unref()
    idle.set(caller, { thread, timer })
  }

  async function run(program: string, given: RunProgramOptions): Promise<ProgramOutcome> {
    const { caller = '', tools = [] } = given
    const bytes = Buffer.byteLength(program)
    if (bytes > limits.programBytes) {
      const message = `the program has ${bytesInWords(bytes)}, and ${bytesInWords(limits.programBytes)} fit`
      return failed('refused', message)
    }
    const signal = anySignal(closing.signal, given.signal)
    const turn = await turns.take(caller, signal)
    if (turn.kind === 'refused') return failed('refused', turn.message)
    if (turn.kind === 'cancelled') return failed('cancelled', cancelledText)
    try {
      const thread = await takeThread(caller)
      const { outcome, isReusable } = await runInThread(thread, program, {
        ...given,
        tools,
        signal,
        limits,
      })
      if (isReusable) keepThread(caller, thread)
      else await thread.worker.terminate()
      return outcome
    } finally {
      turn.release()
    }
  }

  return {
    async run(program, given = {}) {
      const promise = run(program, given)
      runs.add(promise)
      try {
        return await promise
      } finally {
        runs.delete(promise)
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await Promise.allSettled(runs)
      const threads = [...idle.values()]
      idle.clear()
      for (const { timer } of threads) clearTimeout(timer)
      await Promise.all(threads.map(({ thread }) => thread.worker.terminate()))
    },
  }
}
