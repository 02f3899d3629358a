import type { Clock } from '../rpc/clock.ts'
import type { ResolvedLimits } from '../rpc/limits.ts'
import type { Request, RequestId } from '../rpc/message.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { createCallRunner, type CallRunner } from './call-runner.ts'
import { Call, type Answers } from './call.ts'
import type { Caller } from './caller.ts'
import type { Definition } from './definition.ts'

export { shuttingDown, type DrainReport } from './call-runner.ts'

/** The requests of one caller that are being worked on, by the ids it gave them. */
export interface CallsInFlight extends Disposable, Omit<CallRunner, 'start' | 'all'> {
  has(id: RequestId): boolean
  /** Undefined if there is room for one more request with this id. */
  refusal(id: RequestId): RpcError | undefined
  start(request: Request, caller: Caller, answers: Answers): void
  cancel(id: RequestId, reason: string | undefined): void
  /** Those that last until somebody ends them. */
  listening(): readonly RequestId[]
}

export function createCallsInFlight(
  definition: Definition,
  clock: Clock,
  limits: ResolvedLimits,
): CallsInFlight {
  const calls = new Map<RequestId, Call>()
  const runner = createCallRunner(definition, clock, ({ id }) => calls.delete(id))

  return {
    // Not `...runner`: spreading makes an object of no shared shape, once for every request without a session.
    count: runner.count,
    abortAll: runner.abortAll,
    keepTime: runner.keepTime,
    drain: runner.drain,
    [Symbol.dispose]: runner[Symbol.dispose],
    has: (id) => calls.has(id),

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
      const call = new Call(caller, id, method, params, answers)
      calls.set(id, call)
      runner.start(call)
    },

    cancel(id, reason) {
      const call = calls.get(id)
      if (call === undefined) return // finished or never there
      call.abort('caller', reason ?? 'the caller cancelled')
      call.answers.forget(id)
    },

    listening: () => [...calls.values()].filter(({ onDrain }) => onDrain).map(({ id }) => id),
  }
}
