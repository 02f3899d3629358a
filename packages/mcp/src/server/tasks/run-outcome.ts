import { isRpcError, RpcError } from '../../rpc/errors/rpc-error.ts'
import type { CallToolResult } from '../../schema/tools.ts'
import type { Call } from '../calls/call.ts'
import { shuttingDown } from '../calls/calls-in-flight.ts'
import { reportFault } from '../calls/report-fault.ts'
import type { ToolOutcome } from '../extensions.ts'
import { RoundEnd } from '../input/input-required.ts'
import type { TaskEvent } from './task-state.ts'

/** How the work of a tool ends, in a task or not. */
export type RunOutcome =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'round'; readonly end: RoundEnd }
  | { readonly kind: 'error'; readonly error: unknown }
  /** The process shuts down. */
  | { readonly kind: 'lost' }

/** Never rejects. */
export function outcomeOf(running: Promise<CallToolResult | RoundEnd>): Promise<RunOutcome> {
  return running.then(
    (ended): RunOutcome =>
      ended instanceof RoundEnd ? { kind: 'round', end: ended } : { kind: 'result', result: ended },
    (error: unknown): RunOutcome => ({ kind: 'error', error }),
  )
}

/** As the answer to the call. */
export function toAnswer(end: RunOutcome): ToolOutcome {
  switch (end.kind) {
    case 'result':
      return end.result
    case 'round':
      return end.end
    case 'error':
      throw end.error
    case 'lost':
      throw new RpcError('overloaded', shuttingDown)
  }
}

/** As the end of a task; `lost` is that of one whose process shuts down. */
export function toEvent(end: RunOutcome, work: Call, lost: TaskEvent): TaskEvent {
  switch (end.kind) {
    case 'result':
      return { type: 'completed', result: end.result }
    case 'lost':
      return lost
    case 'round':
      return failure(new TypeError('the round of a task cannot end'), work) // a task waits for its input
    case 'error':
      return failure(end.error, work)
  }
}

function failure(error: unknown, work: Call): TaskEvent {
  const told = isRpcError(error) ? error : reportFault(error, work)
  return { type: 'failed', error: work.caller.codec.encodeError(told) }
}
