import type { HeldBytes } from '../../rpc/byte-account.ts'
import { McpError, type McpErrorDetails } from '../../rpc/errors/mcp-error.ts'
import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { PreparedJson } from '../../rpc/json/prepared-json.ts'
import type { RequestId, WireError } from '../../rpc/message.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { AnsweredParams } from '../../schema/input/input.ts'
import type { JsonObject } from '../../schema/json/json.ts'
import type { LoggingLevel } from '../../schema/logging.ts'
import type { MetaObject } from '../../schema/metadata.ts'
import type { Progress, ProgressToken } from '../../schema/progress.ts'
import { mirroredName } from '../../wire/mirrored-headers.ts'
import type { ServerExtensionHooks } from '../extensions.ts'
import type { RoundEnd } from '../input/input-required.ts'
import { resumeRounds, type InputRounds } from '../input/input-rounds.ts'
import { createOnceMemory, type Once, type OnceMemory, type OnceResults } from '../input/once.ts'
import { toLogMessage, wantsLog } from '../logging/logging.ts'
import type { AskLimits, Caller } from './caller.ts'
import { createProgressReporter, type ProgressReporter } from './progress.ts'

/** Where the answer to a call goes: the channel it came from. */
export interface Answers {
  reply(id: RequestId, response: RawMessage): void
  /** The same with a result that is JSON already. Absent where it has to be text. */
  replyJson?(id: RequestId, json: PreparedJson): void
  refuse(id: RequestId | undefined, error: WireError): void
  /** There will be no answer. */
  forget(id: RequestId): void
  /** Something has been sent already, so that a refusal has no status of its own. Absent where there is none. */
  readonly hasBegun?: boolean
}

/** Takes over what a call says to its caller, where the work may outlive the request. */
export interface Background {
  /** The request has been answered, or is about to be: whatever is asked now waits for its answer. */
  readonly isDetached: boolean
  /** The round is about to end, and the request with it. */
  endRound(): void
  ask(method: string, params: object | undefined, limits: BackgroundAskLimits): Promise<JsonObject>
  progress(progress: Progress): Promise<void>
  log(level: LoggingLevel, data: unknown, logger?: string): void
}

export interface BackgroundAskLimits extends AskLimits {
  /** What the handler calls the question. */
  readonly key: string | undefined
}

/** Where work that outlives its request is waited for when all ends. */
export interface WorkHost {
  adopt(work: Call): Disposable
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
  readonly params: JsonObject
  readonly answers: Answers
  /** Among those of its runner. */
  place = -1
  /** When the work has had its time; read by whoever keeps the clock. */
  dueAt = Infinity
  isAborted = false
  isEnded = false
  /** The round has ended: the client is asked, and calls again. */
  isSuspended = false
  /** Ends what has no end of its own, so that a service can stop in good order. */
  onDrain: (() => void) | undefined
  /** Ends the round; set while a handler runs. */
  onSuspend: ((end: RoundEnd | Promise<RoundEnd>) => void) | undefined
  /** Set for work that may outlive its request. */
  background: Background | undefined
  /** Its questions, once it has asked or a caller came back with answers. */
  rounds: InputRounds | undefined
  /** Set while it is worked on. */
  host: WorkHost | undefined
  /** How an extension of the server that was called has tasks, for its own tools and those of servers mounted there. */
  tasks: ServerExtensionHooks | undefined
  /** What its request holds, until the work is over. */
  held: HeldBytes | undefined
  private reason: McpError | undefined
  private controller: AbortController | undefined
  private reporter: ProgressReporter | undefined
  private memory: OnceMemory | undefined
  private questions = 0
  private granted: readonly string[] = []
  private remainingMs = Infinity

  constructor(
    caller: Caller,
    id: RequestId,
    operation: string,
    params: JsonObject,
    answers: Answers,
  ) {
    this.caller = caller
    this.id = id
    this.operation = operation
    this.params = params
    this.answers = answers
  }

  get meta(): MetaObject {
    return (this.params['_meta'] as MetaObject | undefined) ?? noMeta // checked with the params
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.isAborted || this.isSuspended) this.controller.abort(this.reason)
    return this.controller.signal
  }

  get once(): Once {
    return this.onceMemory.once
  }

  /** What has been done under `once`, in this round and before; nothing more is done under it. */
  closeOnce(reason: unknown): Promise<OnceResults> {
    return this.onceMemory.close(reason)
  }

  private get onceMemory(): OnceMemory {
    this.memory ??= createOnceMemory(this.rounds?.done)
    return this.memory
  }

  /** Goes on where an earlier round ended. Throws `invalid_params` for what is not ours. */
  async resume({ requestState, inputResponses = {} }: AnsweredParams): Promise<void> {
    this.rounds = await resumeRounds(this, requestState, inputResponses)
  }

  /** The same request as a call of its own, with nobody to answer to but `background`. */
  async detach(background: Background, caller: Caller, answers: Answers): Promise<Call> {
    const work = new Call(caller, this.id, this.operation, this.params, answers)
    work.background = background
    work.held = this.held?.keep()
    if (this.rounds) await work.resume(this.params)
    return work
  }

  /** The round is over: what the handler still does is not waited for. */
  suspend(end: RoundEnd | Promise<RoundEnd>): void {
    this.isSuspended = true
    this.reporter?.flush()
    this.onSuspend?.(end)
  }

  /** Nobody waits for what is still being done. */
  abandonWork(reason: McpError): void {
    this.reason ??= reason
    this.controller?.abort(reason)
  }

  /** Log messages and progress reach the caller: it still waits, and has not heard them before. */
  private get isHeard(): boolean {
    if (this.isEnded || this.isAborted || this.isSuspended) return false
    return this.rounds === undefined || !this.rounds.isBehind()
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void {
    if (this.background) return this.background.log(level, data, logger)
    if (!wantsLog(this.caller, level) || !this.isHeard) return
    this.caller.deprecated?.('logging')
    try {
      this.caller.log(toLogMessage(level, data, logger))
    } catch (error) {
      this.caller.onError(error, { severity: 'warning', operation: this.operation })
    }
  }

  progress(progress: Progress): Promise<void> {
    if (this.background) return this.background.progress(progress)
    const token = this.meta['progressToken'] as ProgressToken | undefined // checked with the params
    if (token === undefined || !this.isHeard) return done
    this.reporter ??= createProgressReporter(this.caller, token, this.operation)
    return this.reporter.report(progress)
  }

  /** Throws unless the guard lets the caller do this, with all the scopes it has needed so far. */
  authorize(scopes: readonly string[]): void {
    const { authorize } = this.caller
    if (authorize === undefined) return
    const { operation: method, params } = this
    const needed = [...new Set([...this.granted, ...scopes])]
    const name = mirroredName(method, params) ?? params['uri']
    const asked = { method, scopes: needed, ...(typeof name === 'string' && { name }) }
    const refusal = authorize(asked)
    if (refusal) throw refusal
    this.granted = needed
  }

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

  /** What to wait for so that the last progress arrives apart from the answer. */
  settleProgress(): Promise<void> | undefined {
    return this.isAborted ? undefined : this.reporter?.settle()
  }

  /** The result goes out next; progress still waiting goes before it. */
  end(): void {
    this.reporter?.flush()
    this.isEnded = true
  }
}

const noMeta: MetaObject = Object.freeze({})
const done = Promise.resolve()
