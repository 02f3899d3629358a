/**
 * One program in one QuickJS engine: compiles it, runs it until it waits, gives it answers one at a time, and says how it
 * ended. The only file that knows `quickjs-wasi`.
 *
 * It bounds memory, CPU time and the sizes of what comes out. What it cannot bound is a built-in function that never asks
 * whether to go on; for that `create-sandbox.ts` watches the two numbers that this file keeps in `watch`.
 *
 * An engine is used for one program. After a limit it is in no state to go on: an interruption leaves it by an exception of the
 * host, which no program can catch, and which unwinds the engine without its knowing.
 */

import { cpuUsage } from 'node:process'

import { EvalFlags, Intrinsics, JSException, QuickJS, type JSValueHandle } from 'quickjs-wasi'

import { guestFile, guestSource, programFile } from './guest.ts'
import { bytesInWords, type ResolvedSandboxLimits } from './limits.ts'
import type {
  AnswerMessage,
  CallMessage,
  ProgramClock,
  ProgramEnd,
  ProgramPosition,
  ThrownError,
} from './messages.ts'
import { nearestNames } from './nearest-names.ts'

/** What an engine is made for. */
export interface EngineOptions {
  readonly module: unknown
  readonly watch: Int32Array
  readonly limits: ResolvedSandboxLimits
  readonly tools: readonly string[]
  /** JSON. */
  readonly args: string
  readonly clock: ProgramClock
  log(text: string): void
  show(ref: string): void
}

/** What came of running until the program waits. */
export interface EngineStep {
  /** Calls it made since the step before, in order. */
  readonly calls: readonly CallMessage[]
  readonly end?: ProgramEnd | undefined
}

/** A program that runs. */
export interface Engine {
  /** CPU time of the program so far. */
  readonly cpuMs: number
  /** Calls made so far. */
  readonly calls: number
  /** Compiles the program and runs it until it waits. */
  start(program: string): EngineStep
  /** Gives one answer, and runs on until the program waits again. */
  give(answer: AnswerMessage): EngineStep
}

/** Leaves the engine from inside a callback. */
class Interrupted extends Error {}

/** The largest that this build of the engine has room for. */
const stackBytes = 512 * 1024

/** How the engine's package begins an error that a callback of `queueMicrotask` threw. */
const jobError = 'Job execution error: '

const wrapper = '(async () => {'

/** An engine of its own, with nothing of the programs before. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { limits, watch, tools } = options
  const usage = createCpuClock()
  let now = BigInt(options.clock.seed >>> 0) + 1n // the engine takes the seed of its random numbers from the clock when it is made
  let end: ProgramEnd | undefined
  let made = 0
  let calls: CallMessage[] = []
  let writtenBytes = 0
  let leftOutLines = 0
  let shownRefs = 0
  let asked = 0

  function interrupt(): boolean {
    Atomics.add(watch, 1, 1)
    // A regular expression asks far more often than a loop does, and the clock costs more than the question.
    asked += 1
    if (asked % 8 === 0 && usage.spentMs() >= limits.cpuMs) {
      end ??= { kind: 'cpu' }
      throw new Interrupted()
    }
    return false
  }

  const vm = await QuickJS.create({
    wasm: options.module,
    memoryLimit: limits.memoryBytes,
    maxStackSize: stackBytes,
    timezoneOffset: 0,
    intrinsics:
      Intrinsics.ALL & ~(Intrinsics.WEAK_REF | Intrinsics.PERFORMANCE | Intrinsics.ATOB_BTOA),
    interruptHandler: interrupt,
    wasi: (memory: { readonly buffer: ArrayBuffer }) => ({
      clock_time_get(_clock: number, _precision: bigint, pointer: number) {
        new DataView(memory.buffer).setBigUint64(pointer, now * 1_000_000n, true)
        return 0
      },
      random_get(pointer: number, length: number) {
        new Uint8Array(memory.buffer, pointer, length).fill(0)
        return 0
      },
      fd_write: () => 8, // it has no streams
    }),
  })
  now = BigInt(Math.trunc(options.clock.now))

  /** Answers with an empty text, or with why it is refused. Never throws: an error of the host would show its stack. */
  function bridge(operation: string, index: number, first: string, second: string, third: string) {
    switch (operation) {
      case 'call':
      case 'sleep':
        return makeCall(operation, index, first, second, third)
      case 'near':
        return unknownTool(first.slice(0, 200), tools)
      case 'log':
        writeLog(first)
        return ''
      case 'show':
        shownRefs += 1
        if (shownRefs <= limits.calls) options.show(first.slice(0, 200))
        return ''
      case 'returned':
        end ??= returned(index, first, limits)
        return ''
      case 'threw':
        end ??= threw(first, limits)
        return ''
      default:
        return ''
    }
  }

  function makeCall(
    operation: 'call' | 'sleep',
    index: number,
    name: string,
    text: string,
    stack: string,
  ): string {
    if (index !== made) return 'calls have to be made through tools'
    made += 1
    const what = operation === 'sleep' ? 'sleep' : `tools.${name}`
    if (made > limits.calls) {
      return `${what} was not called: a program may make ${limits.calls} calls`
    }
    const bytes = Buffer.byteLength(text)
    if (bytes > limits.argumentBytes) {
      return `${what} was not called: its arguments have ${bytesInWords(bytes)} as JSON, and ${bytesInWords(limits.argumentBytes)} fit`
    }
    const kind = operation === 'sleep' ? 'sleep' : 'tool'
    calls.push({ index, kind, name, text, line: positionIn(stack)?.line })
    return ''
  }

  function writeLog(text: string): void {
    const bytes = Buffer.byteLength(text) + 1
    if (leftOutLines === 0 && writtenBytes + bytes <= limits.consoleBytes) {
      writtenBytes += bytes
      options.log(text)
      return
    }
    leftOutLines += 1
  }

  const bridgeFunction = vm.newFunction('bridge', (...given) => {
    const [operation, index, ...texts] = given
    const [first = '', second = '', third = ''] = texts.map(textOf)
    const at = index?.isNumber === true ? index.toNumber() : 0
    return vm.newString(bridge(textOf(operation), at, first, second, third))
  })

  /** Everything that runs the program goes through here: it counts time, and turns what went wrong into an end. */
  function inside(work: () => void): EngineStep {
    if (end === undefined) {
      Atomics.store(watch, 0, 1)
      usage.start()
      try {
        work()
        if (end === undefined) vm.executePendingJobs()
      } catch (error) {
        end ??= endOf(error)
      }
      usage.stop()
      Atomics.store(watch, 0, 0)
      if (end === undefined && usage.spentMs() >= limits.cpuMs) end = { kind: 'cpu' }
    }
    const step = { calls, ...(end && { end }) }
    calls = []
    if (end !== undefined && leftOutLines > 0) {
      const lines = leftOutLines === 1 ? '1 more line was' : `${leftOutLines} more lines were`
      options.log(`[${lines} left out: ${bytesInWords(limits.consoleBytes)} of console fit]`)
    }
    return step
  }

  function endOf(error: unknown): ProgramEnd {
    if (error instanceof JSException) {
      const { name, message, stack = '' } = error
      return threw(JSON.stringify({ name, message, stack }), limits)
    }
    const { message: text } = error as { readonly message?: unknown } // an error has one
    const ofJob =
      typeof text === 'string' && text.startsWith(jobError) ? text.slice(jobError.length) : ''
    if (ofJob !== '' && !ofJob.includes('out of memory')) {
      return threw(JSON.stringify({ name: '', message: ofJob }), limits)
    }
    // A trap, or no room for what the host gives: the engine itself is at its end.
    const isDeep = error instanceof RangeError
    const message = 'the program calls itself too deeply, or nests values too deeply'
    return isDeep ? { kind: 'threw', error: { name: 'RangeError', message } } : { kind: 'memory' }
  }

  let settle: JSValueHandle | undefined
  return {
    get cpuMs() {
      return usage.spentMs()
    },
    get calls() {
      return Math.min(made, limits.calls)
    },
    start: (program) =>
      inside(() => {
        const install = vm.evalCode(guestSource, guestFile)
        const guest = vm.callFunction(
          install,
          vm.undefined,
          bridgeFunction,
          newText(vm, JSON.stringify(tools)),
          newText(vm, options.args),
        )
        settle = guest.getProp('settle')
        const run = guest.getProp('run')
        const compiled = compile(vm, program)
        if (compiled.kind === 'syntax') end ??= compiled
        else vm.callFunction(run, vm.undefined, compiled.program)
      }),
    give: ({ index, isOk, text, now: time }) =>
      inside(() => {
        if (settle === undefined) return
        now = BigInt(Math.trunc(time))
        const given = newText(vm, text)
        const flag = isOk ? vm.true : vm.false
        vm.callFunction(settle, vm.undefined, vm.newNumber(index), flag, given).dispose()
        given.dispose()
      }),
  }
}

function compile(
  vm: QuickJS,
  program: string,
):
  | { readonly kind: 'compiled'; readonly program: JSValueHandle }
  | { readonly kind: 'syntax'; readonly error: ThrownError } {
  try {
    const text = `${wrapper}${program}\n})`
    return { kind: 'compiled', program: vm.evalCode(text, programFile, EvalFlags.STRICT) }
  } catch (error) {
    if (!(error instanceof JSException) || error.name !== 'SyntaxError') throw error
    const at = positionIn(error.stack ?? '')
    const message = error.message.slice(0, 2_000)
    return { kind: 'syntax', error: { name: error.name, message, ...(at && { at }) } }
  }
}

/** The only kind of value that goes in. Too long for the engine, it is no text afterwards. */
function newText(vm: QuickJS, text: string): JSValueHandle {
  const handle = vm.newString(text)
  if (!handle.isString) throw new Error('no room for a text')
  return handle
}

/** Anything else but a text comes from a program that found a way to the bridge, and says nothing. */
function textOf(handle: JSValueHandle | undefined): string {
  return handle?.isString === true ? handle.toString() : ''
}

function returned(state: number, text: string, limits: ResolvedSandboxLimits): ProgramEnd {
  if (state === 2) return { kind: 'returned', text: '' }
  if (state === 3) {
    const message = 'the returned value is a function or a symbol, which JSON cannot say'
    return { kind: 'result', message }
  }
  if (state === 1) {
    const { message } = readError(text, limits)
    return { kind: 'result', message: `the returned value cannot be written as JSON: ${message}` }
  }
  const bytes = Buffer.byteLength(text)
  if (bytes <= limits.valueBytes) return { kind: 'returned', text }
  const message = `the returned value has ${bytesInWords(bytes)} as JSON, and ${bytesInWords(limits.valueBytes)} fit: return less, such as counts or the fields that matter`
  return { kind: 'result', message }
}

function threw(text: string, limits: ResolvedSandboxLimits): ProgramEnd {
  const error = readError(text, limits)
  const isMemory = error.name === 'InternalError' && error.message === 'out of memory'
  // An engine without memory for an error throws null.
  const isEmpty = error.name === '' && error.message === 'null'
  return isMemory || isEmpty ? { kind: 'memory' } : { kind: 'threw', error }
}

function readError(text: string, { errorCharacters }: ResolvedSandboxLimits): ThrownError {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return { name: 'Error', message: 'an error that cannot be read' }
  }
  const { name, message, stack } = Object(said) as Record<string, unknown> // any value has members
  const at = positionIn(typeof stack === 'string' ? stack : '')
  return {
    name: typeof name === 'string' ? name.slice(0, 100) : 'Error',
    message: cut(typeof message === 'string' ? message : '', errorCharacters),
    ...(at && { at }),
  }
}

function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  return `${text.slice(0, maxCharacters)}… (${text.length - maxCharacters} more characters)`
}

/** The first place in a stack that is in the program. */
function positionIn(stack: string): ProgramPosition | undefined {
  const found = /program\.js:(\d{1,9}):(\d{1,9})/.exec(stack.slice(0, 10_000))
  if (found === null) return undefined
  const line = Number(found[1])
  const column = Number(found[2])
  return { line, column: line === 1 ? Math.max(1, column - wrapper.length) : column }
}

function unknownTool(name: string, tools: readonly string[]): string {
  const near = nearestNames(name, tools)
  const meant = near.length === 0 ? '' : `; the nearest: ${near.join(', ')}`
  return `there is no tool ${name}${meant}`
}

/**
 * Time of the program alone. The smaller of the clock and the CPU time of the process: Node 20 cannot ask for that of one
 * thread, but a thread used no more than either, and on a busy machine the clock alone would end honest programs.
 */
function createCpuClock() {
  let spent = 0
  let startedAt = -1
  let cpuAtStart = { user: 0, system: 0 }

  function running(): number {
    if (startedAt < 0) return 0
    const clockMs = performance.now() - startedAt
    if (spent + clockMs < 5) return clockMs // the process is asked only where it matters
    const { user, system } = cpuUsage(cpuAtStart)
    return Math.min(clockMs, (user + system) / 1000)
  }

  return {
    start() {
      startedAt = performance.now()
      cpuAtStart = cpuUsage()
    },
    stop() {
      spent += running()
      startedAt = -1
    },
    spentMs: () => spent + running(),
  }
}
