import type { McpErrorDetails } from '../../rpc/errors/mcp-error.ts'
import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { PreparedJson } from '../../rpc/json/prepared-json.ts'
import { resultText } from '../../rpc/json/result-text.ts'
import { isPromise } from '../../rpc/promise.ts'
import { ShortLivedList } from '../../rpc/short-lived.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { Definition } from '../definition.ts'
import { dispatch, type Answer } from '../peer/dispatch.ts'
import type { Call, WorkHost } from './call.ts'
import { reportFault } from './fault.ts'

export interface DrainReport {
  readonly finished: number
  readonly aborted: number
}

/**
 * Runs calls and answers each once, or not at all when it was aborted. A class, because without sessions one is made for
 * every request.
 */
export class CallRunner implements WorkHost {
  private readonly definition: Definition
  private readonly clock: Clock
  private readonly onSettled: ((call: Call) => void) | undefined
  private readonly keepsProgressApart: boolean
  private readonly calls = new ShortLivedList<Call>()
  private onIdle: (() => void) | undefined

  constructor(
    definition: Definition,
    clock: Clock,
    onSettled?: (call: Call) => void,
    keepsProgressApart = false,
  ) {
    this.keepsProgressApart = keepsProgressApart
    this.definition = definition
    this.clock = clock
    this.onSettled = onSettled
  }

  /** How many there are. */
  get count(): number {
    return this.calls.size
  }

  start(call: Call): void {
    this.calls.add(call)
    call.host = this
    try {
      const answer = dispatch(this.definition, call.operation, call.params, call)
      if (isPromise(answer)) void this.finishLater(call, answer)
      else this.finish(call, answer)
    } catch (error) {
      this.fail(call, error)
    }
  }

  /** Adds work that is awaited at shutdown, but answers by itself and does not end with its caller. */
  adopt(work: Call): Disposable {
    this.calls.add(work)
    return {
      [Symbol.dispose]: () => {
        this.calls.delete(work)
        work.held?.close()
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
      this.refuse(call, new RpcError('overloaded', shuttingDown))
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
        const text = `${call.operation} ran out of time`
        call.abort('timeout', text)
        const result = { content: [{ type: 'text', text }], isError: true }
        call.answers.reply(call.id, this.responseTo(call, result))
      }
    }
    return next
  }

  private async finishLater(call: Call, pending: Promise<Answer>): Promise<void> {
    let answer: Answer
    try {
      answer = await pending
    } catch (error) {
      if (this.keepsProgressApart) await call.settleProgress()
      return this.fail(call, error)
    }
    if (this.keepsProgressApart) {
      const settled = call.settleProgress()
      if (settled) await settled // only for calls with progress: an await costs a turn
    }
    this.finish(call, answer)
  }

  private finish(call: Call, answer: Answer): void {
    if (!this.settle(call)) return
    try {
      if (answer.kind === 'json') replyJson(call, answer.json)
      else call.answers.reply(call.id, this.responseTo(call, answer.result))
    } catch (error) {
      this.refuse(call, reportFault(error, call))
    }
  }

  private fail(call: Call, error: unknown): void {
    if (this.settle(call)) this.refuse(call, isRpcError(error) ? error : reportFault(error, call))
  }

  private refuse({ id, answers, caller }: Call, error: RpcError): void {
    answers.refuse(id, caller.codec.encodeError(error))
  }

  /** True if the call still wants an answer. */
  private settle(call: Call): boolean {
    this.calls.delete(call)
    call.held?.close()
    this.onSettled?.(call)
    if (this.calls.size === 0) this.onIdle?.()
    if (call.isAborted) return false
    call.end()
    return true
  }

  /** Throws for a result that the codec refuses. */
  private responseTo({ id, caller: { codec }, operation }: Call, result: object): RawMessage {
    return {
      jsonrpc: '2.0',
      id,
      result: codec.encodeResult(operation, result, this.definition.info),
    }
  }
}

function replyJson({ id, answers }: Call, json: PreparedJson): void {
  if (answers.replyJson) answers.replyJson(id, json)
  else answers.reply(id, resultText(id, json.text))
}

export const shuttingDown = 'the server is shutting down'
