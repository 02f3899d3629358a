/**
 * One program in one thread: starts threads, carries messages both ways, and ends what takes too long. Used by `create-sandbox.ts`,
 * which decides when a program runs and whether its thread is used again.
 *
 * Guarantees: `call` is called at most once for each call of a program, and never after the end; its signal is aborted at the
 * end, so that no call outlives its program.
 */

import { AsyncResource } from 'node:async_hooks'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { cpuUsage } from 'node:process'
import { Worker } from 'node:worker_threads'

import { errorMessage, isJsonObject, parseJson } from '@parley/mcp/json'

import { explainError } from './explain-error.ts'
import { bytesInWords, type ResolvedSandboxLimits } from './limits.ts'
import type { AnswerMessage, CallMessage, FromWorker, ProgramEnd, ToWorker } from './messages.ts'
import {
  ProgramCallError,
  type ProgramCallContext,
  type ProgramFailure,
  type ProgramFigures,
  type ProgramOutcome,
  type RunProgramOptions,
  type SleepCall,
} from './program.ts'

/** The same from where this file is written and from where it is built: Node 20 runs no thread in TypeScript. */
const entry = new URL('../../dist/sandbox/worker.js', import.meta.url)

const watchEveryMs = 200
/** Of the thread, without the memory of the engine: texts on their way in and out. */
const threadHeapMiB = 192

/** A thread, and the two numbers that it shares. */
export interface Thread {
  readonly worker: Worker
  readonly watch: Int32Array
}

let compiled: Promise<object> | undefined

/** Once for the process: threads share the compiled module. */
function loadEngine(): Promise<object> {
  compiled ??= compileEngine()
  return compiled
}

async function compileEngine(): Promise<object> {
  const path = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')
  // Node has it, and its types leave it out.
  const { WebAssembly } = globalThis as unknown as {
    readonly WebAssembly: { compile(bytes: Uint8Array): Promise<object> }
  }
  return WebAssembly.compile(await readFile(path))
}

/** A thread that waits for a program. */
export async function startThread(): Promise<Thread> {
  const module = await loadEngine()
  const watch = new SharedArrayBuffer(8)
  const worker = new Worker(entry, {
    name: 'program',
    workerData: { module, watch },
    env: {},
    execArgv: [],
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: threadHeapMiB,
      maxYoungGenerationSizeMb: 16,
      stackSizeMb: 4,
    },
  })
  worker.on('error', () => {}) // one that is ended may still say why
  worker.stdout.resume()
  worker.stderr.resume()
  return { worker, watch: new Int32Array(watch) }
}

/** What a program is run with, complete. */
interface ThreadRun extends RunProgramOptions {
  readonly tools: readonly string[]
  readonly signal: AbortSignal
  readonly limits: ResolvedSandboxLimits
}

export const cancelledText = 'the program was stopped'

/** One program in one thread, from its text to its end. */
export async function runInThread(
  { worker, watch }: Thread,
  program: string,
  options: ThreadRun,
): Promise<{ readonly outcome: ProgramOutcome; readonly isReusable: boolean }> {
  const {
    limits,
    signal,
    tools,
    args = {},
    onLog,
    onShow,
    onWait,
    now = () => Date.now(),
  } = options
  const clock = options.clock ?? {
    now: Date.now(),
    seed: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
  }
  const logs: string[] = []
  const ended = new AbortController()
  let calls = 0
  let answers: AnswerMessage[] = []

  const end = await new Promise<ThreadEnd>((resolve) => {
    const watching = watchThread(watch, limits, (kind) => resolve({ kind }))
    const context: ProgramCallContext = { signal: ended.signal, paused: watching.paused }

    /** Answers of one moment go in one message. */
    function answer(message: AnswerMessage): void {
      if (ended.signal.aborted) return
      answers.push(message)
      if (answers.length > 1) return
      setImmediate(() => {
        const together = answers
        answers = []
        if (!ended.signal.aborted) send(worker, { type: 'answers', answers: together })
      })
    }

    async function make(call: CallMessage): Promise<void> {
      const { index } = call
      let result: Pick<AnswerMessage, 'isOk' | 'text'>
      try {
        result = encodeAnswer(await makeCall(call, options, context), call.name, limits)
      } catch (error) {
        result = encodeError(error, limits)
      }
      answer({ index, ...result, now: now(index) })
    }

    function read(message: FromWorker): void {
      switch (message.type) {
        case 'calls':
          calls += message.calls.length
          for (const call of message.calls) void make(call)
          onWait?.(message.answered)
          break
        case 'log':
          logs.push(message.text)
          onLog?.(message.text)
          break
        case 'show':
          onShow?.(message.ref)
          break
        case 'end':
          resolve(message)
      }
    }
    const fail = (error: Error) => resolve({ kind: 'crashed', error })
    const gone = () => fail(new Error('the thread ended'))
    const cancel = () => resolve({ kind: 'cancelled' })
    // Calls belong to whoever runs the program: traces and questions find them by their asynchronous context.
    const readHere = AsyncResource.bind(read)
    worker.on('message', readHere).on('error', fail).on('exit', gone)
    signal.addEventListener('abort', cancel)
    ended.signal.addEventListener('abort', () => {
      watching.stop()
      worker.off('message', readHere).off('error', fail).off('exit', gone)
      signal.removeEventListener('abort', cancel)
    })
    if (signal.aborted) cancel()
    else
      send(worker, {
        type: 'run',
        program,
        tools,
        args: JSON.stringify(args),
        clock,
        limits,
        tellsWaiting: onWait !== undefined,
      })
  })

  ended.abort(new Error('the program has ended'))
  const figures = { logs, cpuMs: 0, calls, notAwaited: 0 }
  if ('type' in end) {
    const { cpuMs, notAwaited } = end
    const taken = { ...figures, cpuMs: Math.round(cpuMs * 10) / 10, calls: end.calls, notAwaited }
    return {
      outcome: { ...taken, ...outcomeOf(end.end, program, limits) },
      isReusable: !['memory', 'cpu'].includes(end.end.kind),
    }
  }
  const { kind, message } = describeEnd(end, limits)
  return { outcome: { ...figures, ok: false, kind, message }, isReusable: false }
}

type ThreadEnd =
  | Extract<FromWorker, { type: 'end' }>
  | { readonly kind: 'standstill' | 'time' | 'cancelled' }
  | { readonly kind: 'crashed'; readonly error: Error }

function describeEnd(
  end: Exclude<ThreadEnd, { type: 'end' }>,
  limits: ResolvedSandboxLimits,
): { readonly kind: ProgramFailure; readonly message: string } {
  switch (end.kind) {
    case 'cancelled':
      return { kind: 'cancelled', message: cancelledText }
    case 'time':
      return {
        kind: 'time',
        message: `the program did not end within ${limits.totalMs / 1000} s: do less in one program`,
      }
    case 'standstill':
      return {
        kind: 'standstill',
        message: `one built-in function ran for ${limits.standstillMs / 1000} s, and the program was ended: give it less text or fewer items`,
      }
    case 'crashed': {
      const isMemory = 'code' in end.error && end.error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      if (isMemory) return { kind: 'memory', message: memoryText(limits) }
      return { kind: 'failed', message: `the sandbox failed: ${errorMessage(end.error)}` }
    }
  }
}

type EndedProgram =
  | Omit<Extract<ProgramOutcome, { ok: true }>, keyof ProgramFigures>
  | Omit<Extract<ProgramOutcome, { ok: false }>, keyof ProgramFigures>

function outcomeOf(end: ProgramEnd, program: string, limits: ResolvedSandboxLimits): EndedProgram {
  switch (end.kind) {
    case 'returned':
      return readValue(end.text)
    case 'syntax':
    case 'threw': {
      const { at } = end.error
      const message = explainError(end.error, program)
      return { ok: false, kind: end.kind, message, ...(at && { at }) }
    }
    case 'memory':
      return { ok: false, kind: 'memory', message: memoryText(limits) }
    case 'cpu':
      return {
        ok: false,
        kind: 'cpu',
        message: `the program computed for ${limits.cpuMs / 1000} s and was ended: is there a loop that does not end?`,
      }
    case 'stuck':
      return {
        ok: false,
        kind: 'stuck',
        message:
          'the program waits for a promise that nothing can settle: every promise has to come from a call, or be resolved by the program',
      }
    case 'result':
      return { ok: false, kind: 'result', message: end.message }
  }
}

function readValue(text: string): EndedProgram {
  try {
    return { ok: true, value: text === '' ? undefined : parseJson(text) }
  } catch (error) {
    const message = `the returned value cannot be used: ${errorMessage(error)}`
    return { ok: false, kind: 'result', message }
  }
}

function memoryText({ memoryBytes }: ResolvedSandboxLimits): string {
  return `the program needs more than ${bytesInWords(memoryBytes)} of memory: filter each page before you keep it`
}

export function failed(kind: ProgramFailure, message: string): ProgramOutcome {
  return { ok: false, kind, message, logs: [], cpuMs: 0, calls: 0, notAwaited: 0 }
}

async function makeCall(
  { index, kind, name, text, line }: CallMessage,
  { call, sleep = sleepByTimer, tools }: ThreadRun,
  context: ProgramCallContext,
): Promise<unknown> {
  if (kind === 'sleep') {
    const ms = Math.max(0, Number(text) || 0)
    await sleep({ index, ms }, context)
    return undefined
  }
  if (call === undefined || !tools.includes(name)) throw new Error(`there is no tool ${name}`)
  const args = parseJson(text)
  if (!isJsonObject(args)) throw new Error('the arguments must be one object')
  return call({ index, name, arguments: args, ...(line !== undefined && { line }) }, context)
}

function sleepByTimer({ ms }: SleepCall, { signal }: ProgramCallContext): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error) // it says why
    })
  })
}

function encodeAnswer(
  value: unknown,
  name: string,
  { answerBytes }: ResolvedSandboxLimits,
): Pick<AnswerMessage, 'isOk' | 'text'> {
  const text = value === undefined ? '' : (JSON.stringify(value) ?? '')
  const bytes = Buffer.byteLength(text)
  if (bytes <= answerBytes) return { isOk: true, text }
  throw new Error(
    `the answer of ${name} has ${bytesInWords(bytes)}, and ${bytesInWords(answerBytes)} fit: ask for fewer fields or pages`,
  )
}

function encodeError(
  error: unknown,
  { errorCharacters }: ResolvedSandboxLimits,
): Pick<AnswerMessage, 'isOk' | 'text'> {
  const message = errorMessage(error).slice(0, errorCharacters)
  const told =
    error instanceof ProgramCallError
      ? { kind: error.kind, message, ...error.details }
      : { kind: 'failed', message }
  return { isOk: false, text: JSON.stringify(told) }
}

function send(worker: Worker, message: ToWorker): void {
  worker.postMessage(message, [])
}

/**
 * Ends a run that takes too long in all, or stands still: the program runs, and the engine does not ask whether to go on. The
 * smaller of clock and CPU time counts here too, so that a computer that slept ends nothing.
 */
function watchThread(
  watch: Int32Array,
  { standstillMs, totalMs }: ResolvedSandboxLimits,
  end: (kind: 'standstill' | 'time') => void,
) {
  let asked = -1
  let stillMs = 0
  let leftMs = totalMs
  let pauses = 0
  let last = performance.now()
  let cpu = cpuUsage()

  const timer = setInterval(
    () => {
      const now = performance.now()
      const clockMs = now - last
      const { user, system } = cpuUsage(cpu)
      last = now
      cpu = cpuUsage()
      if (pauses === 0) leftMs -= clockMs
      const isInside = Atomics.load(watch, 0) === 1
      const asks = Atomics.load(watch, 1)
      stillMs = isInside && asks === asked ? stillMs + Math.min(clockMs, (user + system) / 1000) : 0
      asked = asks
      if (stillMs >= standstillMs) end('standstill')
      else if (leftMs <= 0) end('time')
    },
    Math.min(watchEveryMs, standstillMs / 2, totalMs),
  )

  return {
    stop: () => clearInterval(timer),
    async paused<T>(work: () => Promise<T>): Promise<T> {
      pauses += 1
      try {
        return await work()
      } finally {
        pauses -= 1
      }
    },
  }
}
