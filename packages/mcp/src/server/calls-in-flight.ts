import type { Clock } from '../rpc/clock.ts'
import { createDeadlines } from '../rpc/deadlines.ts'
import type { ResolvedLimits } from '../rpc/limits.ts'
import type { McpErrorDetails } from '../rpc/mcp-error.ts'
import type { Request, RequestId } from '../rpc/message.ts'
import { isRpcError, RpcError } from '../rpc/rpc-error.ts'
import type { RawMessage } from '../rpc/transport.ts'
import type { MetaObject } from '../schema/metadata.ts'
import { encodeWireError } from '../wire/error-codes.ts'
import { Call, type Answers } from './call.ts'
import type { Caller } from './caller.ts'
import type { Definition } from './definition.ts'
import { dispatch, type Answer } from './dispatch.ts'
import { reportFault } from './fault.ts'

/** The requests of one caller that are being worked on. Each is answered once, or not at all when it was given up. */
export interface CallsInFlight extends Disposable {
  /** How many there are. */
  count(): number
  has(id: RequestId): boolean
  /** Undefined if there is room for one more request with this id. */
  refusal(id: RequestId): RpcError | undefined
  start(request: Request, caller: Caller, answers: Answers): void
  cancel(id: RequestId, reason: string | undefined): void
  abortAll(by: McpErrorDetails['cancelled']['by'], why: string): void
  /** Makes sure calls are looked at by then; those past their time are answered and aborted. */
  keepTime(dueAt: number): void
  /** Waits until all are done; at the deadline the rest is refused and aborted. */
  drain(deadlineMs: number): Promise<DrainReport>
}

export interface DrainReport {
  readonly finished: number
  readonly aborted: number
}

export function createCallsInFlight(
  definition: Definition,
  clock: Clock,
  limits: ResolvedLimits,
): CallsInFlight {
  const calls = new Map<RequestId, Call>()
  const deadlines = createDeadlines(clock, timeOut)
  let onIdle: (() => void) | undefined

  function finish(call: Call, answer: Answer): void {
    if (!settle(call)) return
    try {
      call.answers.reply(call.id, response(call, answer))
    } catch (error) {
      call.answers.refuse(call.id, encodeWireError(reportFault(error, call)))
    }
  }

  function fail(call: Call, error: unknown): void {
    if (!settle(call)) return
    call.answers.refuse(
      call.id,
      encodeWireError(isRpcError(error) ? error : reportFault(error, call)),
    )
  }

  /** True if the call still wants an answer. */
  function settle(call: Call): boolean {
    calls.delete(call.id)
    if (calls.size === 0) onIdle?.()
    if (call.isAborted) return false
    call.end()
    return true
  }

  function timeOut(now: number): number {
    let next = Infinity
    for (const call of calls.values()) {
      if (call.isAborted) continue
      if (call.dueAt > now) next = Math.min(next, call.dueAt)
      else {
        const text = `${call.operation} ran out of time`
        call.abort('timeout', text)
        const result = { content: [{ type: 'text', text }], isError: true }
        call.answers.reply(call.id, { jsonrpc: '2.0', id: call.id, result })
      }
    }
    return next
  }

  return {
    count: () => calls.size,
    has: (id) => calls.has(id),
    keepTime: deadlines.arm,

    refusal(id) {
      if (calls.has(id)) {
        return new RpcError(
          'invalid_request',
          `the request id ${JSON.stringify(id)} is still in use`,
        )
      }
      if (calls.size < limits.inFlight) return undefined
      const why = `more requests at once than limits.inFlight (${limits.inFlight}) allows`
      return new RpcError('overloaded', why)
    },

    start({ id, method, params }, caller, answers) {
      const call = new Call(caller, id, method, params['_meta'] as MetaObject | undefined, answers) // checked with the params
      calls.set(id, call)
      dispatch(definition, method, params, call).then(
        (answer) => finish(call, answer),
        (error: unknown) => fail(call, error),
      )
    },

    cancel(id, reason) {
      const call = calls.get(id)
      if (call === undefined) return // finished or never there
      call.abort('caller', reason ?? 'the caller cancelled')
      call.answers.forget(id)
    },

    abortAll(by, why) {
      for (const call of calls.values()) call.abort(by, why)
      onIdle?.()
    },

    async drain(deadlineMs) {
      const atStart = calls.size
      if (atStart > 0) {
        const timer = clock.setTimer(() => onIdle?.(), deadlineMs)
        await new Promise<void>((resolve) => (onIdle = resolve))
        timer[Symbol.dispose]()
      }
      const left = [...calls.values()].filter((call) => !call.isAborted)
      for (const call of left) {
        call.abort('drain', shuttingDown)
        call.answers.refuse(call.id, encodeWireError(new RpcError('overloaded', shuttingDown)))
      }
      return { finished: atStart - left.length, aborted: left.length }
    },

    [Symbol.dispose]() {
      deadlines[Symbol.dispose]()
    },
  }
}

export const shuttingDown = 'the server is shutting down'

/** Throws for a result that is not what its author said it is. */
function response({ id, caller: { codec }, operation }: Call, answer: Answer): RawMessage {
  return answer.kind === 'json'
    ? `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${answer.json}}`
    : { jsonrpc: '2.0', id, result: codec.encodeResult(operation, answer.result) }
}
