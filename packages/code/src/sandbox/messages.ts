/** What crosses between the host and the thread that runs a program. Values of programs and tools cross as JSON text only. */

import type { ResolvedSandboxLimits } from './limits.ts'

/** The clock and the random numbers of a program, so that the same program runs the same way again. */
export interface ProgramClock {
  /** Milliseconds since 1970. The clock stands still while the program runs, and moves on with each answer. */
  readonly now: number
  /** Where the random numbers start. */
  readonly seed: number
}

/** What a thread is given once. */
export interface WorkerData {
  readonly module: unknown
  /** Two numbers: whether the program runs, and how often the engine has asked whether to go on. */
  readonly watch: SharedArrayBuffer
}

/** To the thread. */
export type ToWorker =
  | {
      readonly type: 'run'
      readonly program: string
      readonly tools: readonly string[]
      /** JSON. */
      readonly args: string
      readonly clock: ProgramClock
      readonly limits: ResolvedSandboxLimits
      /** Whether the thread says so when the program waits without a further call. */
      readonly tellsWaiting: boolean
    }
  | { readonly type: 'answers'; readonly answers: readonly AnswerMessage[] }

/** The answer to one call. */
export interface AnswerMessage {
  readonly index: number
  readonly isOk: boolean
  /** JSON; empty for no value. */
  readonly text: string
  /** What the clock of the program says from now on. */
  readonly now: number
}

/** From the thread. */
export type FromWorker =
  | {
      /** The program waits. */
      readonly type: 'calls'
      /** Calls that it has made. */
      readonly calls: readonly CallMessage[]
      /** How many answers it was given so far. */
      readonly answered: number
    }
  | { readonly type: 'log'; readonly text: string }
  | { readonly type: 'show'; readonly ref: string }
  | {
      readonly type: 'end'
      readonly end: ProgramEnd
      readonly cpuMs: number
      readonly calls: number
      /** Calls that were open, or not made yet. */
      readonly notAwaited: number
    }

/** A call as the program made it. */
export interface CallMessage {
  readonly index: number
  readonly kind: 'tool' | 'sleep'
  /** Of the tool. */
  readonly name: string
  /** JSON of the arguments; the milliseconds of a `sleep`. */
  readonly text: string
  /** The line of the program that made it, from 1. */
  readonly line: number | undefined
}

/** How a program ended by itself, or at a limit that the thread watches. */
export type ProgramEnd =
  /** JSON; empty for no value. */
  | { readonly kind: 'returned'; readonly text: string }
  | { readonly kind: 'threw' | 'syntax'; readonly error: ThrownError }
  | { readonly kind: 'memory' | 'cpu' | 'stuck' }
  | { readonly kind: 'result'; readonly message: string }

/** An error as the program threw it. Its text is the program's own and may say anything. */
export interface ThrownError {
  readonly name: string
  readonly message: string
  readonly at?: ProgramPosition | undefined
}

/** A place in a program, from 1. */
export interface ProgramPosition {
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1. */
  readonly column: number
}
