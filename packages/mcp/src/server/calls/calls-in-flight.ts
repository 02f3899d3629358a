/**
 * Runs calls and responds to each once, or not at all if it was aborted.
 *
 * Finds calls by the ids that their client gave them, ends them at their deadline, and lets them finish at shutdown. `dispatch.ts`
 * does the work of a call; `Responder` takes the response. Each session has one (`ServerSession.calls`); `StandaloneRequests` has one
 * for all modern requests of an endpoint. Results without a promise are sent in the same turn.
 */
import type { Clock } from '../../rpc/clock.ts'
import type { McpErrorDetails } from '../../rpc/errors/mcp-error.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import { type PreparedJson, resultText, utf8Length } from '../../rpc/json/json-text.ts'
import type { ServerLimits } from '../../rpc/limits.ts'
import type { MemoryShare } from '../../rpc/memory-budget.ts'
import type { Request, RequestId } from '../../rpc/message.ts'
import {
  type RequestMetrics,
  type ObservedOutcome,
  type RequestObserver,
  metricsOf,
} from '../../rpc/observer.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { ShortLivedList, ShortLivedMap } from '../../rpc/short-lived.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { Definition } from '../definition.ts'
import { Call, type Responder, type CallRunner } from './call.ts'
import type { Caller } from './caller.ts'
import { dispatch, type Outcome } from './dispatch.ts'
import { reportUnexpected } from './report-fault.ts'
import { isSafeToRetry } from './safe-to-retry.ts'

/** The calls that were in flight when a service was drained. */
export interface DrainReport {
  /** Calls that ended by themselves within the time they were given. */
  readonly finished: number
  /** Calls that were still running at the end of that time, and were aborted. */
  readonly aborted: number
}

/**
 * Runs calls and answers each once, or not at all when it was aborted. Those of one caller are found by the ids it gave
 * them. A class, because without sessions one is made for every request.
 */
export class CallsInFlight implements CallRunner {
  readonly definition: Definition
  private readonly clock: Clock
  private readonly limits: ServerLimits
  private readonly separatesProgress: boolean
  private readonly calls = new ShortLivedList<Call>()
  private readonly byId = new ShortLivedMap<RequestId, Call>()
  private onIdle: (() => void) | undefined

  constructor(
    definition: Definition,
    clock: Clock,
    limits: ServerLimits,
    separatesProgress = false,
  ) {
    this.definition = definition
    this.clock = clock
    this.limits = limits
    this.separatesProgress = separatesProgress
  }

  /** How many there are. */
  get count(): number {
    return this.calls.size
  }

  has(id: RequestId): boolean {
    return this.byId.has(id)
  }

  /** Undefined if there is room for one more request with this id. */
  rejection(id: RequestId): RpcError | undefined {
    return this.inUse(id) ?? this.overload()
  }

  /** Set while a request with this id is worked on. */
  inUse(id: RequestId): RpcError | undefined {
    return this.byId.has(id) ? idInUse(id) : undefined
  }

  /** The one limit on requests at once: undefined if the caller may start one more. */
  overload(): RpcError | undefined {
    const { inFlight } = this.limits
    if (this.byId.size < inFlight) return undefined
    return new RpcError('overloaded', tooManyAtOnce('requests', 'limits.inFlight', inFlight))
  }

  /** The id must not be in use. */
  start(
    { id, method, params, received }: Request,
    caller: Caller,
    answers: Responder,
    memory: MemoryShare | undefined,
  ): void {
    const call = new Call(caller, id, method, params, answers)
    call.memory = memory?.keep()
    if (received) call.metrics = metricsOf(received, this.clock)
    this.byId.add(id, call)
    this.run(call)
  }

  /** True if the client may safely send this request again. */
  isSafeToRetry(id: RequestId): boolean {
    const call = this.byId.get(id)
    return call !== undefined && isSafeToRetry(this.definition, call)
  }

  cancel(id: RequestId, reason: string | undefined, by: 'caller' | 'fenced' = 'caller'): void {
    const call = this.byId.get(id)
    if (call === undefined) return // finished or never there
    call.abort(by, reason ?? 'the caller cancelled')
    call.responder.forget(id)
  }

  /** The requests that last until one side ends them: `subscriptions/listen`. */
  listening(): readonly RequestId[] {
    return [...this.byId.values()].filter(({ onDrain }) => onDrain).map(({ id }) => id)
  }

  /** Runs a call, without an id to find it by. */
  run(call: Call): void {
    this.calls.add(call)
    call.runner = this
    const { observer } = this.definition.settings
    try {
      const answer = observer ? this.dispatchObserved(call, observer) : this.dispatch(call)
      if (isPromise(answer)) void this.finishLater(call, answer)
      else this.finish(call, answer)
    } catch (error) {
      this.fail(call, error)
    }
  }

  private dispatch(call: Call): MaybePromise<Outcome> {
    return dispatch(this.definition, call.method, call.params, call)
  }

  private dispatchObserved(call: Call, observer: RequestObserver): MaybePromise<Outcome> {
    const { id, method, params, caller } = call
    call.observation = observer.begin({
      side: 'server',
      method,
      params,
      id,
      revision: caller.codec.revision,
      sessionId: caller.sessionId,
      header: caller.http && ((name) => caller.http?.header(name)),
      server: this.definition.info,
    })
    return call.observation ? call.observation.run(() => this.dispatch(call)) : this.dispatch(call)
  }

  /** Adds work that is awaited at shutdown, but answers by itself and does not end with its caller. */
  adopt(work: Call): Disposable {
    this.calls.add(work)
    let markOver: (() => void) | undefined
    work.caller.http?.waitUntil?.(new Promise<void>((resolve) => (markOver = resolve)))
    return {
      [Symbol.dispose]: () => {
        this.calls.delete(work)
        work.memory?.close()
        markOver?.()
        if (this.calls.size === 0) this.onIdle?.()
      },
    }
  }

  abortAll(by: McpErrorDetails['cancelled']['by'], why: string): void {
    for (const call of this.calls) if (!call.background) call.abort(by, why)
    this.onIdle?.()
  }

  /** Waits until all calls are done; at the deadline the rest is refused and aborted. */
  async drain(deadlineMs: number): Promise<DrainReport> {
    for (const call of this.calls) call.onDrain?.()
    const atStart = this.calls.size
    if (atStart > 0) {
      const timer = this.clock.setTimer(() => this.onIdle?.(), deadlineMs)
      await new Promise<void>((resolve) => (this.onIdle = resolve))
      timer[Symbol.dispose]()
    }
    const left = [...this.calls].filter((call) => !call.isAborted)
    for (const call of left) {
      call.abort('drain', shuttingDown)
      this.reject(call, new RpcError('overloaded', shuttingDown))
    }
    return { finished: atStart - left.length, aborted: left.length }
  }

  /** Answers and aborts calls that have timed out. Returns when the next one is due, or `Infinity`. */
  timeOut(now: number): number {
    let next = Infinity
    for (const call of this.calls) {
      if (call.isAborted) continue
      if (call.dueAt > now) next = Math.min(next, call.dueAt)
      else {
        const text = ranOutOfTime(call)
        call.abort('timeout', text)
        const result = { content: [{ type: 'text', text }], isError: true }
        call.responder.reply(call.id, this.responseTo(call, result))
      }
    }
    return next
  }

  private async finishLater(call: Call, pending: Promise<Outcome>): Promise<void> {
    let answer: Outcome
    try {
      answer = await pending
    } catch (error) {
      if (this.separatesProgress) await call.finishProgress()
      return this.fail(call, error)
    }
    if (this.separatesProgress) {
      const progressSent = call.finishProgress()
      if (progressSent) await progressSent // only for calls with progress: an await costs a turn
    }
    this.finish(call, answer)
  }

  private finish(call: Call, answer: Outcome): void {
    if (!this.resolve(call)) return
    let written: string | void
    try {
      written =
        answer.kind === 'result'
          ? call.responder.reply(call.id, this.responseTo(call, answer.result))
          : answerAsIs(call, answer)
    } catch (error) {
      const rejection = reportUnexpected(error, call)
      call.observation?.end({ kind: 'error', error: rejection }, call.metrics)
      return this.reject(call, rejection)
    }
    call.observation?.end(outcomeOf(answer), withResponse(call, answer, written))
  }

  private fail(call: Call, error: unknown): void {
    if (!this.resolve(call)) return
    const rejection = isRpcError(error) ? error : reportUnexpected(error, call)
    call.observation?.end({ kind: 'error', error: rejection }, call.metrics)
    this.reject(call, rejection)
  }

  private reject({ id, responder, caller }: Call, error: RpcError): void {
    responder.reject(id, caller.codec.encodeError(error))
  }

  /** True if the call still wants an answer. */
  private resolve(call: Call): boolean {
    this.calls.delete(call)
    call.memory?.close()
    if (this.byId.get(call.id) === call) this.byId.take(call.id)
    if (this.calls.size === 0) this.onIdle?.()
    if (call.isAborted) return false
    call.end()
    return true
  }

  /** Throws for a result that the codec refuses. */
  private responseTo({ id, caller: { codec }, method }: Call, result: object): RawMessage {
    return {
      jsonrpc: '2.0',
      id,
      result: codec.encodeResult(method, result, this.definition.info),
    }
  }
}

function outcomeOf(answer: Outcome): ObservedOutcome {
  if (answer.kind === 'error') return { kind: 'error', error: answer.error }
  return { kind: 'result', result: answer.kind === 'json' ? undefined : answer.result }
}

/** With the size of the answer, where it is known without writing it again. */
function withResponse(
  call: Call,
  answer: Outcome,
  written: string | void,
): RequestMetrics | undefined {
  if (written !== undefined) (call.metrics ??= {}).responseBytes = utf8Length(written)
  else if (answer.kind === 'json' && call.metrics?.requestBytes !== undefined) {
    const around = utf8Length(resultText(call.id, ''))
    call.metrics.responseBytes = around + answer.json.bytes.length
  }
  return call.metrics
}

/** Sends an outcome that is already in the form of the caller's revision. */
function answerAsIs(
  call: Call,
  answer: Exclude<Outcome, { readonly kind: 'result' }>,
): string | void {
  const { id, responder } = call
  if (answer.kind === 'json') return replyJson(call, answer.json)
  if (answer.kind === 'error') return responder.reject(id, answer.error)
  return responder.reply(id, { jsonrpc: '2.0', id, result: answer.result })
}

function replyJson({ id, responder }: Call, json: PreparedJson): string | void {
  if (responder.replyJson) return responder.replyJson(id, json)
  return responder.reply(id, resultText(id, json.text))
}

export function ranOutOfTime({ method }: Pick<Call, 'method'>): string {
  return `${method} ran out of time`
}

export const shuttingDown = 'the server is shutting down'

/** Why a caller may not start one more. */
export function tooManyAtOnce(what: string, option: string, most: number): string {
  return `more ${what} at once than ${option} (${most}) allows`
}

/** Two requests with one id could not be told apart. */
export function idInUse(id: RequestId): RpcError {
  return new RpcError('invalid_request', `the request id ${JSON.stringify(id)} is still in use`)
}

/** Adds up the reports of several services that were drained together. */
export async function drainAll(
  draining: readonly (Promise<DrainReport> | undefined)[],
): Promise<DrainReport> {
  let [finished, aborted] = [0, 0]
  for (const report of await Promise.all(draining.filter((each) => each !== undefined))) {
    finished += report.finished
    aborted += report.aborted
  }
  return { finished, aborted }
}
