import { McpError, type McpErrorDetails } from '../rpc/mcp-error.ts'
import type { RequestId, WireError } from '../rpc/message.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RawMessage } from '../rpc/transport.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { MetaObject } from '../schema/metadata.ts'
import type { Progress, ProgressToken } from '../schema/progress.ts'
import type { Caller } from './caller.ts'
import { isAtLeast, toLogMessage } from './logging.ts'
import { createOnce, type Once } from './once.ts'
import { createProgressReporter, type ProgressReporter } from './progress.ts'

/** Where the answer to a call goes: the channel it came from. */
export interface Answers {
  reply(id: RequestId, response: RawMessage): void
  refuse(id: RequestId | undefined, error: WireError): void
  /** There will be no answer. */
  forget(id: RequestId): void
}

/**
 * One request being worked on: its time, its end, and what it may still send. A class, against our habit, because one is
 * made for every request: methods sit on the prototype, and what a handler does not touch (a signal, a progress
 * reporter) is never made.
 */
export class Call {
  readonly caller: Caller
  readonly id: RequestId
  readonly operation: string
  readonly meta: MetaObject
  readonly answers: Answers
  /** When the work has had its time; read by whoever keeps the clock. */
  dueAt = Infinity
  isAborted = false
  isEnded = false
  private reason: McpError | undefined
  private controller: AbortController | undefined
  private reporter: ProgressReporter | undefined
  private memory: Once | undefined
  private questions = 0
  private remainingMs = Infinity

  constructor(
    caller: Caller,
    id: RequestId,
    operation: string,
    meta: MetaObject | undefined,
    answers: Answers,
  ) {
    this.caller = caller
    this.id = id
    this.operation = operation
    this.meta = meta ?? noMeta
    this.answers = answers
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.isAborted) this.controller.abort(this.reason)
    return this.controller.signal
  }

  get once(): Once {
    this.memory ??= createOnce()
    return this.memory
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void {
    const { declared, logLevel } = this.caller
    const isWanted =
      declared.logging !== undefined && logLevel !== undefined && isAtLeast(level, logLevel)
    if (!isWanted || this.isEnded || this.isAborted) return
    try {
      this.caller.log(toLogMessage(level, data, logger))
    } catch (error) {
      this.caller.onError(error, { severity: 'warning', operation: this.operation })
    }
  }

  progress(progress: Progress): Promise<void> {
    const token = this.meta['progressToken'] as ProgressToken | undefined // checked with the params
    if (token === undefined || this.isEnded || this.isAborted) return done
    this.reporter ??= createProgressReporter(this.caller, token, this.operation)
    return this.reporter.report(progress)
  }

  requireScopes(scopes: readonly string[]): void {
    const { auth, isLocal } = this.caller
    if (auth === undefined && isLocal) return
    const missing = scopes.filter((scope) => !auth?.scopes.has(scope))
    if (missing.length === 0) return
    throw new RpcError('insufficient_scope', `this needs the scope ${missing.join(' and ')}`, {
      data: { scopes: missing },
    })
  }

  /** Bounds the work from now on. */
  limitTime(ms: number): void {
    this.dueAt = this.caller.clock.now() + ms
    this.caller.keepTime(this.dueAt)
  }

  /** While a person is asked the work grows no older. */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    if (this.questions++ === 0) {
      this.remainingMs = this.dueAt - this.caller.clock.now()
      this.dueAt = Infinity
    }
    try {
      return await ask()
    } finally {
      if (--this.questions === 0 && this.remainingMs !== Infinity) this.limitTime(this.remainingMs)
    }
  }

  /** The work is void: nothing more is sent for it. */
  abort(by: McpErrorDetails['cancelled']['by'], why: string): void {
    if (this.isAborted || this.isEnded) return
    this.isAborted = true
    this.reason = new McpError('cancelled', why, { details: { by } })
    this.reporter?.stop()
    this.controller?.abort(this.reason)
  }

  /** The result goes out next; progress still waiting goes before it. */
  end(): void {
    this.reporter?.flush()
    this.isEnded = true
  }
}

const noMeta: MetaObject = Object.freeze({})
const done = Promise.resolve()
