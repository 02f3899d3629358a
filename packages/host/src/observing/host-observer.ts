import type { RequestObserver } from '@parley/mcp'

import type { ModelEvent } from '../models/model.ts'
import type { EndReason, ProgramEndReason } from '../turn/turn-event.ts'

/**
 * Watches what a host does: every request to a server, and, where it has the methods for it, every turn and every request
 * to a model. `telemetry()` of `@parley/telemetry` is one. It must not throw.
 */
export interface HostObserver extends RequestObserver {
  /** Undefined for a turn that it leaves alone. */
  beginTurn?(turn: ObservedTurn): HostObservation<TurnOutcome> | undefined
  /** The same for a request to a model, of a turn or of a server. */
  beginModelRequest?(request: ObservedModelRequest): HostObservation<ModelOutcome> | undefined
  /** The same for a program of the model; requests of its calls happen inside. */
  beginProgram?(program: ObservedProgram): HostObservation<ObservedProgramEnd> | undefined
}

/** Observes one turn, or one request to a model. */
export interface HostObservation<Outcome> {
  /** Does the work; whatever belongs to it happens inside. */
  run<T>(work: () => T): T
  /** Once. */
  end(outcome: Outcome): void
}

/** A turn that is about to begin. */
export interface ObservedTurn {
  /** The id of the conversation. */
  readonly conversation: string
  /** The name of the model, as people choose it. */
  readonly model: string
}

/** How a turn ended. */
export interface TurnOutcome {
  /** Why it ended. */
  readonly reason: EndReason
  /** The same in words, unless it was answered. */
  readonly message?: string | undefined
}

/** A request to a model that is about to be sent. */
export interface ObservedModelRequest {
  /** The name of the model, as people choose it. */
  readonly model: string
  /** The maximum number of tokens that it may write; absent if it was not set. */
  readonly maxTokens?: number | undefined
  /** The temperature; absent if it was not set. */
  readonly temperature?: number | undefined
}

/** How a request to a model ended, with all its retries. */
export interface ModelOutcome {
  /** Why the answer ended; absent if it did not come to its end. */
  readonly finish?: Extract<ModelEvent, { type: 'finish' }>['reason'] | undefined
  /** Tokens that the model read, if its provider says so. */
  readonly inputTokens?: number | undefined
  /** Tokens that the model wrote, in the same way. */
  readonly outputTokens?: number | undefined
  /** Why there is no answer, or only a part of one. */
  readonly error?: unknown
  /** The answer is no longer needed. */
  readonly isCancelled: boolean
}

/** A program that is about to run. */
export interface ObservedProgram {
  /** The id of the program, as events have it. */
  readonly id: string
}

/** How a program ended. */
export interface ObservedProgramEnd {
  /** `returned`, or why it did not. */
  readonly outcome: ProgramEndReason
  /** The number of calls that it made. */
  readonly calls: number
  /** CPU time of the program itself. */
  readonly cpuMs: number
}
