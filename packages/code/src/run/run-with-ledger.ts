/**
 * Runs a program so that another process can go on with it. The first time it writes the ledger; after that it runs the same program
 * again and gives it the recorded answers, in their order, until it is where it was.
 *
 * Guarantees: no call is sent twice, because it is in the ledger before it is sent, and one that was sent and has no answer fails with
 * "outcome unknown"; a call that is not the recorded one ends the run (`diverged`) before anything is sent; answers of new calls wait until
 * all recorded ones are given. A call that was decided and not sent is decided again.
 */

import { createHash } from 'node:crypto'

import type { JsonObject } from '@parley/mcp'
import { canonicalJson, errorMessage } from '@parley/mcp/json'

import type { Sandbox } from '../sandbox/create-sandbox.ts'
import type { ProgramClock } from '../sandbox/messages.ts'
import {
  ProgramCallError,
  type ProgramCall,
  type ProgramCallContext,
  type ProgramOutcome,
  type RunProgramOptions,
  type SleepCall,
} from '../sandbox/program.ts'
import type { LedgerAnswer, LedgerBegin, ProgramLedger } from './ledger.ts'

/** What a program is run with whose ledger is kept. */
export interface RunWithLedgerOptions extends Pick<
  RunProgramOptions,
  'onLog' | 'onShow' | 'signal' | 'caller' | 'sleep'
> {
  /** The tools that the program knows of; of a program that goes on they are those of its beginning. */
  readonly tools: readonly string[]
  /** What the program finds as `args`. */
  readonly args?: JsonObject | undefined
  /** Where the clock and the random numbers of a new program start. @defaultValue the time now, and a random seed */
  readonly clock?: ProgramClock | undefined
  /** Stops the run where it is, so that it can go on later: no further call is sent, and those that were sent are waited for. */
  readonly pause?: AbortSignal | undefined
  /** Makes a call. It awaits `beforeSend` right before it sends, and sends nothing if that rejects. */
  call(call: ProgramCall, context: LedgerCallContext): Promise<unknown>
}

/** What comes with a call whose program can go on in another process. */
export interface LedgerCallContext extends ProgramCallContext {
  /** Writes down that the call is sent. Rejects if that cannot be written, or the run is to stop. */
  beforeSend(): Promise<void>
}

/** How a run ended, or that it is to be continued. */
export type LedgerOutcome =
  | ProgramOutcome
  | {
      /** It has not ended. */
      readonly ok: false
      /** `paused`: it can go on. `diverged`: the program did something else than the first time, and cannot go on. */
      readonly kind: 'diverged' | 'paused'
      /** The same in words. */
      readonly message: string
    }

/** The engine of this version; the same program may run differently in another one. */
export const engineVersion = 'quickjs-wasi 3.6.2'

const unknownOutcome =
  'the outcome is unknown: the process ended after this call was sent and before it was answered. It may have had effects, and it is not repeated.'

/** Begins a program, or goes on with it if its ledger has a beginning. */
export async function runWithLedger(
  sandbox: Sandbox,
  program: string,
  ledger: ProgramLedger,
  options: RunWithLedgerOptions,
): Promise<LedgerOutcome> {
  const recorded = readLedger(ledger)
  if (recorded !== undefined && recorded.begin.program !== program) {
    return diverged('the ledger is of another program')
  }
  if (recorded !== undefined && recorded.begin.engine !== engineVersion) {
    return diverged(`it was run by ${recorded.begin.engine}, and this is ${engineVersion}`)
  }
  const begin = recorded?.begin ?? newBegin(program, options)
  if (recorded === undefined) await ledger.append(begin)
  const end = new AbortController()
  const replay = createReplay(ledger, recorded, () => end.abort())
  const cancel = () => end.abort()
  options.signal?.addEventListener('abort', cancel, { once: true })
  if (options.signal?.aborted === true) cancel()
  const { pause } = options
  pause?.addEventListener('abort', replay.pause, { once: true })
  if (pause?.aborted === true) replay.pause()

  const outcome = await sandbox.run(program, {
    ...options,
    tools: begin.tools,
    args: begin.args,
    clock: begin.clock,
    signal: end.signal,
    now: replay.now,
    ...(replay.isReplaying() && { onWait: replay.onWait }),
    call: (call, context) =>
      replay.answer({ ...call, what: call.name }, end, (beforeSend) =>
        options.call(call, { ...context, beforeSend }),
      ),
    sleep: async ({ index, ms }, context) => {
      const call = { index, what: '', arguments: { ms } }
      await replay.answer(call, end, () => (options.sleep ?? sleepByTimer)({ index, ms }, context))
    },
  })
  options.signal?.removeEventListener('abort', cancel)
  pause?.removeEventListener('abort', replay.pause)
  const fault = replay.fault()
  if (fault !== undefined && (outcome.ok || outcome.kind !== 'cancelled' || end.signal.aborted)) {
    if (options.signal?.aborted !== true) return diverged(fault)
  }
  const isStopped = !outcome.ok && outcome.kind === 'cancelled'
  if (isStopped && pause?.aborted === true && options.signal?.aborted !== true) {
    return { ok: false, kind: 'paused', message: 'the program waits, and can go on' }
  }
  const isOver = outcome.ok || !['cancelled', 'refused'].includes(outcome.kind)
  if (isOver) await ledger.append({ type: 'end', outcome: outcome.ok ? 'returned' : outcome.kind })
  return outcome
}

function diverged(message: string): LedgerOutcome {
  return { ok: false, kind: 'diverged', message }
}

interface RecordedRun {
  readonly begin: LedgerBegin
  readonly answers: readonly LedgerAnswer[]
  /** Hashes of calls that were sent, by index. */
  readonly sent: ReadonlyMap<number, { readonly name: string; readonly hash: string }>
}

function readLedger({ entries }: ProgramLedger): RecordedRun | undefined {
  const [begin] = entries
  if (begin?.type !== 'begin') return undefined
  const answers = entries.filter((entry) => entry.type === 'answer')
  const sent = entries.filter((entry) => entry.type === 'sent')
  return { begin, answers, sent: new Map(sent.map((entry) => [entry.index, entry])) }
}

function newBegin(program: string, options: RunWithLedgerOptions): LedgerBegin {
  const { tools, args = {}, clock } = options
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
  return {
    type: 'begin',
    version: 1,
    engine: engineVersion,
    program,
    args,
    tools,
    clock: clock ?? { now: Date.now(), seed },
  }
}

/** A call of a tool, or a `sleep`. */
interface AnyCall {
  readonly index: number
  /** The name of the tool; empty for `sleep`. */
  readonly what: string
  readonly arguments: JsonObject
}

/** Gives recorded answers in their order, and records new ones. */
function createReplay(ledger: ProgramLedger, recorded: RecordedRun | undefined, stop: () => void) {
  const answers = recorded?.answers ?? []
  const byIndex = new Map(answers.map((answer) => [answer.index, answer]))
  const waiting = new Map<number, () => void>()
  const times = new Map<number, number>()
  const caughtUp = signalled()
  let next = 0
  let latest = answers.at(-1)?.now ?? recorded?.begin.clock.now ?? 0
  let fault: string | undefined
  let given = 0
  let isPausing = false
  /** Sent, and not answered yet. */
  let openCalls = 0
  /** One entry after another: the order in the ledger is the order in which the program is told. */
  let writing: Promise<void> = Promise.resolve()
  if (answers.length === 0) caughtUp.resolve()

  function giveNext(): void {
    for (let answer = answers[next]; answer !== undefined; answer = answers[next]) {
      const give = waiting.get(answer.index)
      if (give === undefined) return
      waiting.delete(answer.index)
      next += 1
      given += 1
      give()
    }
    caughtUp.resolve()
  }

  function write(entry: Parameters<ProgramLedger['append']>[0]): Promise<void> {
    const written = writing.then(() => ledger.append(entry))
    // The next one is written whatever became of this: whoever wrote this one is told.
    writing = written.catch(() => undefined)
    return written
  }

  async function answerAnew(
    { index, what: name }: AnyCall,
    hash: string,
    make: (beforeSend: () => Promise<void>) => Promise<unknown>,
    end: AbortController,
  ): Promise<unknown> {
    await caughtUp.promise
    if (isPausing) return never()
    const wasSent = recorded?.sent.has(index) === true
    let isSent = false
    let answer: LedgerAnswer
    const base = { type: 'answer', index, name, hash } as const
    try {
      if (wasSent) throw new ProgramCallError('failed', unknownOutcome)
      const value = await make(async () => {
        if (isPausing) return never()
        openCalls += 1
        isSent = true
        await write({ type: 'sent', index, name, hash })
      })
      answer = { ...base, now: timeNow(), isOk: true, ...(value !== undefined && { value }) }
    } catch (error) {
      if (end.signal.aborted) throw error // nobody is told, and the next process asks again
      const { kind, details } =
        error instanceof ProgramCallError ? error : { kind: 'failed' as const, details: {} }
      answer = { ...base, now: timeNow(), isOk: false, kind, message: errorMessage(error), details }
    }
    try {
      await write(answer)
    } catch (error) {
      end.abort()
      fault = `the run cannot go on: ${errorMessage(error)}`
      throw error
    }
    times.set(index, answer.now)
    if (isSent) openCalls -= 1
    if (isPausing && openCalls === 0) stop()
    return valueOf(answer)
  }

  /** The clock of the program never goes back. */
  function timeNow(): number {
    latest = Math.max(latest, Date.now())
    return latest
  }

  return {
    isReplaying: () => answers.length > 0,
    /** A program that waits for something else than the next recorded answer is another program. */
    onWait(answered: number): void {
      const open = answers[next]
      if (open !== undefined && answered === given) {
        fault ??= `it waits, and has not made its call ${open.index} of ${open.name || 'sleep'} again`
        stop()
      }
    },
    /** No further call is sent; the run is over when those that were sent are answered. */
    pause(): void {
      isPausing = true
      if (openCalls === 0) stop()
    },
    now: (index: number) => times.get(index) ?? latest,
    fault() {
      const open = answers[next]
      if (fault !== undefined || open === undefined) return fault
      return `it ended before it made its call ${open.index} of ${open.name || 'sleep'} again`
    },
    async answer(
      call: AnyCall,
      end: AbortController,
      make: (beforeSend: () => Promise<void>) => Promise<unknown>,
    ): Promise<unknown> {
      const { index, what, arguments: args } = call
      const hash = hashOf(args)
      const known = byIndex.get(index) ?? recorded?.sent.get(index)
      if (known !== undefined && (known.name !== what || known.hash !== hash)) {
        fault ??= `its call ${index} was ${known.name || 'sleep'} (arguments ${known.hash}), and now is ${what || 'sleep'} (arguments ${hash})`
        end.abort()
        throw new Error(fault)
      }
      const answer = byIndex.get(index)
      if (answer === undefined) return answerAnew(call, hash, make, end)
      await new Promise<void>((resolve) => {
        waiting.set(index, resolve)
        giveNext()
      })
      times.set(index, answer.now)
      return valueOf(answer)
    },
  }
}

function valueOf(answer: LedgerAnswer): unknown {
  if (answer.isOk) return answer.value
  throw new ProgramCallError(answer.kind, answer.message, answer.details)
}

function hashOf(args: JsonObject): string {
  return createHash('sha256').update(canonicalJson(args)).digest('base64url').slice(0, 22)
}

function signalled() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve: () => resolve() }
}

/** The run ends before anybody could wait for it. */
function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined)
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
