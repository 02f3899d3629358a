/**
 * One request from its start to its response: its deadline, cancellation, log messages, progress, scopes and input rounds.
 *
 * `CallsInFlight` creates and ends calls; handlers see a call through `CallContext`. Messages go out through the call's `Caller`,
 * or through `background` if the call may outlive its request, as a task does. A signal, a progress reporter and a memory of `once`
 * are created only if a handler uses them, because every request makes a call.
 */
import { McpError, type McpErrorDetails } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { PreparedJson } from '../../rpc/json/json-text.ts'
import type { MemoryShare } from '../../rpc/memory-budget.ts'
import type { RequestId, WireError } from '../../rpc/message.ts'
import type { Observation, MutableRequestMetrics } from '../../rpc/observer.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { InputResponseParams } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { MetaObject } from '../../schema/metadata.ts'
import type { Progress, ProgressToken } from '../../schema/progress.ts'
import { mirroredName } from '../../wire/headers.ts'
import type { Definition } from '../definition.ts'
import type { ServerExtensionHooks } from '../extensions.ts'
import type { RoundEnd } from '../input/input-required.ts'
import { resumeRounds, type InputRounds } from '../input/input-rounds.ts'
import { createOnceMemory, type Once, type OnceMemory, type OnceResults } from '../input/once.ts'
import { toLogMessage, wantsLog } from '../logging/logging.ts'
import { sendNotification } from '../notifications.ts'
import type { Caller, RequestLimits } from './caller.ts'
import { createProgressReporter, type ProgressReporter } from './progress.ts'

/** Sends the response to a call: the channel that the request came from. */
export interface Responder {
  /** The text it was written as, where there is one at once. */
  reply(id: RequestId, response: RawMessage): string | void
  /** The same with a result that is JSON already. Absent on channels that take text only. */
  replyJson?(id: RequestId, json: PreparedJson): void
  reject(id: RequestId | undefined, error: WireError): void
  /** There will be no answer. */
  forget(id: RequestId): void
  /** Something has been sent already, so that a refusal can no longer set the HTTP status. Absent without HTTP. */
  readonly isStreaming?: boolean
}

/** Takes over what a call sends to its caller, for work that may outlive the request. */
export interface BackgroundChannel {
  /** The request has been answered, or is about to be: an input request waits for its answer. */
  readonly isDetached: boolean
  /** The round is about to end, and the request with it. */
  endRound(): void
  ask(method: string, params: object | undefined, limits: InputLimits): Promise<JsonObject>
  progress(progress: Progress): Promise<void>
  log(level: LoggingLevel, data: unknown, logger?: string): void
}

export interface InputLimits extends RequestLimits {
  /** The name that the handler gave to the input request. */
  readonly key: string | undefined
}

/** Waits at shutdown for work that outlives its request. */
export interface CallRunner {
  /** The server that was called. */
  readonly definition: Definition
  adopt(work: Call): Disposable
}

/**
 * One request being worked on: its time, its end, and what it may still send. A class, against our habit, because one is
 * made for every request: methods sit on the prototype, and what a handler does not touch (a signal, a progress
 * reporter) is never made.
 */
export class Call {
  /** The client that sent the request. */
  readonly caller: Caller
  /** The JSON-RPC id of the request. */
  readonly id: RequestId
  /** The method, such as `tools/call`. */
  readonly method: string
  /** The params, as the caller's revision writes them. */
  readonly params: JsonObject
  /** The responder for the result. */
  readonly responder: Responder
  /** When the call times out. */
  dueAt = Infinity
  /** The call was cancelled or timed out; its result is not sent. */
  isAborted = false
  /** The answer was sent. */
  isEnded = false
  /** The call was suspended until the client answers an input request. */
  isSuspended = false
  /** Ends a call that would last for ever, so that a service can shut down. */
  onDrain: (() => void) | undefined
  /** Called when the call is aborted; cheaper than a signal if one listener is enough. */
  onAbort: ((reason: McpError) => void) | undefined
  /** Ends the round; set while a handler runs. */
  onSuspend: ((end: RoundEnd | Promise<RoundEnd>) => void) | undefined
  /** Set for work that may outlive its request. */
  background: BackgroundChannel | undefined
  /** Its input requests, once there is one, or once a client has sent answers. */
  rounds: InputRounds | undefined
  /** Set while it is worked on. */
  runner: CallRunner | undefined
  /** The tasks extension of the server that was called; it also serves tools of mounted servers. */
  tasks: ServerExtensionHooks | undefined
  /** The bytes that the request holds until the work is over. */
  memory: MemoryShare | undefined
  /** Set where requests are watched, until this one ends. */
  observation: Observation | undefined
  /** Metrics for the observer; undefined without one. */
  metrics: MutableRequestMetrics | undefined
  private reason: McpError | undefined
  private controller: AbortController | undefined
  private reporter: ProgressReporter | undefined
  private onceStore: OnceMemory | undefined
  private openInput = 0
  private granted: readonly string[] = []
  private remainingMs = Infinity

  /** A transport makes one for each request. */
  constructor(
    caller: Caller,
    id: RequestId,
    operation: string,
    params: JsonObject,
    answers: Responder,
  ) {
    this.caller = caller
    this.id = id
    this.method = operation
    this.params = params
    this.responder = answers
  }

  /** The `_meta` of the request; empty if it has none. */
  get meta(): MetaObject {
    return (this.params['_meta'] as MetaObject | undefined) ?? noMeta // checked with the params
  }

  /** The trace context for requests that are sent for this call. */
  get trace(): Observation['meta'] {
    return this.observation?.meta
  }

  /** Aborts when the answer is no longer needed. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.isAborted || this.isSuspended) this.controller.abort(this.reason)
    return this.controller.signal
  }

  /** Runs work once, however many rounds the call takes. */
  get once(): Once {
    return this.onceMemory.once
  }

  /** The results of `once`, of this round and earlier ones. After this, `once` starts nothing new. */
  closeOnce(reason: unknown): Promise<OnceResults> {
    return this.onceMemory.close(reason)
  }

  private get onceMemory(): OnceMemory {
    this.onceStore ??= createOnceMemory(this.rounds?.done)
    return this.onceStore
  }

  /** Continues where an earlier round ended. Throws `invalid_params` for a request state that is not ours. */
  async resume({ requestState, inputResponses = {} }: InputResponseParams): Promise<void> {
    this.rounds = await resumeRounds(this, requestState, inputResponses)
  }

  /** The same request as a call of its own, which sends everything to `background`. */
  async detach(background: BackgroundChannel, caller: Caller, answers: Responder): Promise<Call> {
    const work = new Call(caller, this.id, this.method, this.params, answers)
    work.background = background
    work.memory = this.memory?.keep()
    if (this.rounds) await work.resume(this.params)
    return work
  }

  /** Ends the round; what the handler still does is not awaited. */
  suspend(end: RoundEnd | Promise<RoundEnd>): void {
    this.isSuspended = true
    this.reporter?.flush()
    this.onSuspend?.(end)
  }

  /** Aborts the signal: the result of the handler is no longer needed. */
  abandonWork(reason: McpError): void {
    this.reason ??= reason
    this.controller?.abort(reason)
  }

  /** True if log messages and progress are sent: the caller still waits, and no earlier round has sent them. */
  private get mayNotify(): boolean {
    if (this.isEnded || this.isAborted || this.isSuspended) return false
    return this.rounds === undefined || !this.rounds.isBehind()
  }

  /** Sends a log message, if the caller wants this level. */
  log(level: LoggingLevel, data: unknown, logger?: string): void {
    if (this.background) return this.background.log(level, data, logger)
    if (!wantsLog(this.caller, level) || !this.mayNotify) return
    this.caller.deprecated?.('logging')
    try {
      const message = toLogMessage(level, data, logger)
      if (this.caller.mayLog()) sendNotification(this.caller, 'notifications/message', message)
    } catch (error) {
      this.caller.onError(error, { severity: 'warning', operation: this.method })
    }
  }

  /** Sends progress, if the caller asked for it. */
  progress(progress: Progress): Promise<void> {
    if (this.background) return this.background.progress(progress)
    const token = this.meta['progressToken'] as ProgressToken | undefined // checked with the params
    if (token === undefined || !this.mayNotify) return done
    this.reporter ??= createProgressReporter(this.caller, token, this.method)
    return this.reporter.report(progress)
  }

  /** Throws unless the guard lets the caller do this, with all the scopes it has needed so far. */
  authorize(scopes: readonly string[]): void {
    const { authorize } = this.caller
    if (authorize === undefined) return
    const { method, params } = this
    const needed = [...new Set([...this.granted, ...scopes])]
    const name = mirroredName(method, params) ?? params['uri']
    const operation = { method, scopes: needed, ...(typeof name === 'string' && { name }) }
    const rejection = authorize(operation)
    if (rejection) throw rejection
    this.granted = needed
  }

  /** Throws `insufficient_scope` unless the caller has all of them. */
  requireScopes(scopes: readonly string[]): void {
    const { auth, isLocal, authorize } = this.caller
    if (authorize) return this.authorize(scopes)
    if (auth === undefined && isLocal) return
    const missing = scopes.filter((scope) => !auth?.scopes.has(scope))
    if (missing.length === 0) return
    throw new RpcError('insufficient_scope', `this needs the scope ${missing.join(' and ')}`, {
      data: { scopes: missing },
    })
  }

  /** Starts the timeout of the call. */
  startTimeout(ms: number): void {
    this.dueAt = this.caller.clock.now() + ms
    this.caller.keepTime(this.dueAt)
  }

  /** Runs an input request; the time it takes does not count towards the timeout. */
  async pauseTimeout<T>(request: () => Promise<T>): Promise<T> {
    if (this.openInput++ === 0) {
      this.remainingMs = this.dueAt - this.caller.clock.now()
      this.dueAt = Infinity
    }
    try {
      return await request()
    } finally {
      if (--this.openInput === 0 && this.remainingMs !== Infinity)
        this.startTimeout(this.remainingMs)
    }
  }

  /** Aborts the call. Its result is not sent. */
  abort(by: McpErrorDetails['cancelled']['by'], why: string): void {
    if (this.isAborted || this.isEnded) return
    this.isAborted = true
    this.reason = new McpError('cancelled', why, { details: { by } })
    this.reporter?.stop()
    this.controller?.abort(this.reason)
    this.onAbort?.(this.reason)
    this.observation?.end({ kind: 'cancelled', reason: this.reason }, this.metrics)
    this.observation = undefined
  }

  /** Await this before the answer, so that the last progress does not arrive in one piece with it. */
  finishProgress(): Promise<void> | undefined {
    return this.isAborted ? undefined : this.reporter?.resolve()
  }

  /** Sends progress that still waits; the result is sent next. */
  end(): void {
    this.reporter?.flush()
    this.isEnded = true
  }
}

const noMeta: MetaObject = Object.freeze({})
const done = Promise.resolve()
