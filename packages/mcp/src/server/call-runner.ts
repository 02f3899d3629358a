import type { Clock } from '../rpc/clock.ts'
import { createDeadlines } from '../rpc/deadlines.ts'
import type { McpErrorDetails } from '../rpc/mcp-error.ts'
import { isRpcError, RpcError } from '../rpc/rpc-error.ts'
import type { RawMessage } from '../rpc/transport.ts'
import type { Call, WorkHost } from './call.ts'
import type { Definition } from './definition.ts'
import { dispatch, type Answer } from './dispatch.ts'
import { reportFault } from './fault.ts'

/** Works on calls and answers each once, or not at all when it was given up. */
export interface CallRunner extends Disposable {
  /** How many there are. */
  count(): number
  all(): Iterable<Call>
  start(call: Call): void
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

export function createCallRunner(
  definition: Definition,
  clock: Clock,
  onSettled?: (call: Call) => void,
): CallRunner {
  const calls = new Set<Call>()
  const deadlines = createDeadlines(clock, timeOut)
  const host: WorkHost = { adopt }
  let onIdle: (() => void) | undefined

  /** Waited for like any other, but it answers for itself and does not end with its caller. */
  function adopt(work: Call): Disposable {
    calls.add(work)
    return {
      [Symbol.dispose]() {
        calls.delete(work)
        if (calls.size === 0) onIdle?.()
      },
    }
  }

  function finish(call: Call, answer: Answer): void {
    if (!settle(call)) return
    try {
      call.answers.reply(call.id, response(definition, call, answer))
    } catch (error) {
      refuse(call, reportFault(error, call))
    }
  }

  function fail(call: Call, error: unknown): void {
    if (settle(call)) refuse(call, isRpcError(error) ? error : reportFault(error, call))
  }

  function refuse({ id, answers, caller }: Call, error: RpcError): void {
    answers.refuse(id, caller.codec.encodeError(error))
  }

  /** True if the call still wants an answer. */
  function settle(call: Call): boolean {
    calls.delete(call)
    onSettled?.(call)
    if (calls.size === 0) onIdle?.()
    if (call.isAborted) return false
    call.end()
    return true
  }

  function timeOut(now: number): number {
    let next = Infinity
    for (const call of calls) {
      if (call.isAborted) continue
      if (call.dueAt > now) next = Math.min(next, call.dueAt)
      else {
        const text = `${call.operation} ran out of time`
        call.abort('timeout', text)
        const result = { content: [{ type: 'text', text }], isError: true }
        call.answers.reply(call.id, response(definition, call, { kind: 'result', result }))
      }
    }
    return next
  }

  return {
    count: () => calls.size,
    all: () => calls,
    keepTime: deadlines.arm,

    start(call) {
      calls.add(call)
      call.host = host
      dispatch(definition, call.operation, call.params, call).then(
        (answer) => finish(call, answer),
        (error: unknown) => fail(call, error),
      )
    },

    abortAll(by, why) {
      for (const call of calls) if (!call.background) call.abort(by, why)
      onIdle?.()
    },

    async drain(deadlineMs) {
      for (const call of calls) call.onDrain?.()
      const atStart = calls.size
      if (atStart > 0) {
        const timer = clock.setTimer(() => onIdle?.(), deadlineMs)
        await new Promise<void>((resolve) => (onIdle = resolve))
        timer[Symbol.dispose]()
      }
      const left = [...calls].filter((call) => !call.isAborted)
      for (const call of left) {
        call.abort('drain', shuttingDown)
        refuse(call, new RpcError('overloaded', shuttingDown))
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
function response(
  { info }: Definition,
  { id, caller: { codec }, operation }: Call,
  answer: Answer,
): RawMessage {
  return answer.kind === 'json'
    ? `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${answer.json}}`
    : { jsonrpc: '2.0', id, result: codec.encodeResult(operation, answer.result, info) }
}
