import type { JsonObject } from '@parley/mcp'

import type { ProgramClock, ProgramPosition } from './messages.ts'

/** What a program is run with. */
export interface RunProgramOptions {
  /** Names of the tools that it can call. */
  readonly tools?: readonly string[] | undefined
  /** What the program finds as `args`. */
  readonly args?: JsonObject | undefined
  /** Makes a call. What it throws is thrown in the program; a `ProgramCallError` says what kind of error that is. */
  call?(call: ProgramCall, context: ProgramCallContext): Promise<unknown>
  /** Waits for `sleep` of the program. @defaultValue a timer */
  sleep?(call: SleepCall, context: ProgramCallContext): Promise<void>
  /** Called with each line that the program writes to `console`. */
  onLog?(line: string): void
  /** Called with what the program gives to `show`. */
  onShow?(ref: string): void
  /** Called when the program waits: it has made all calls that it can make with the answers it has, and this is how many those are. */
  onWait?(answered: number): void
  /** Ends the program. */
  readonly signal?: AbortSignal | undefined
  /** The clock and the random numbers of the program. @defaultValue the time now, and a random seed */
  readonly clock?: ProgramClock | undefined
  /** What the clock of the program says after the answer to a call. @defaultValue the time */
  now?(index: number): number
  /** Who runs the program: a thread is used again only by the same caller. @defaultValue the same for all */
  readonly caller?: string | undefined
}

/** A call of a program. */
export interface ProgramCall {
  /** Counts the calls of a program, from 0. */
  readonly index: number
  /** The name of the tool. */
  readonly name: string
  /** The arguments. */
  readonly arguments: JsonObject
  /** The line of the program that makes the call, from 1. */
  readonly line?: number | undefined
}

/** A program waits for some time. */
export interface SleepCall {
  /** Counts with the calls of a program. */
  readonly index: number
  /** How long it wants to wait. */
  readonly ms: number
}

/** What comes with a call. */
export interface ProgramCallContext {
  /** Aborted when the program has ended. */
  readonly signal: AbortSignal
  /** Stops the clock of the run while a person takes time. */
  paused<T>(work: () => Promise<T>): Promise<T>
}

/** An error that a program can tell from others. */
export class ProgramCallError extends Error {
  /** Whether the call was denied, or failed. */
  readonly kind: 'denied' | 'failed'
  /** What the program finds as members of the error. */
  readonly details: ProgramCallErrorDetails

  /** An error for the program. */
  constructor(kind: 'denied' | 'failed', message: string, details: ProgramCallErrorDetails = {}) {
    super(message)
    this.name = 'ProgramCallError'
    this.kind = kind
    this.details = details
  }
}

/** What a program finds as members of an error. */
export interface ProgramCallErrorDetails {
  /** The server that was called. */
  readonly server?: string | undefined
  /** The tool at that server. */
  readonly tool?: string | undefined
  /** The rule that denied the call, in words. */
  readonly rule?: string | undefined
}

/** How a program ended. */
export type ProgramOutcome = ProgramFigures &
  (
    | {
        /** It returned. */
        readonly ok: true
        /** What it returned; undefined for nothing. */
        readonly value: unknown
      }
    | {
        /** It did not return. */
        readonly ok: false
        /** Why. */
        readonly kind: ProgramFailure
        /** The same in words, for a model to act on. */
        readonly message: string
        /** Where in the program, if that is known. */
        readonly at?: ProgramPosition | undefined
      }
  )

/** Why a program did not return. */
export type ProgramFailure =
  | 'syntax'
  | 'threw'
  | 'memory'
  | 'cpu'
  | 'standstill'
  | 'time'
  | 'stuck'
  | 'result'
  | 'refused'
  | 'cancelled'
  | 'failed'

/** What a program took. */
export interface ProgramFigures {
  /** Its lines on `console`. */
  readonly logs: readonly string[]
  /** CPU time of the program itself. */
  readonly cpuMs: number
  /** Calls that it made. */
  readonly calls: number
  /** Calls that it did not wait for: they were cancelled, or not made at all. */
  readonly notAwaited: number
}
