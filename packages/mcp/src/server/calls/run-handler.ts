import { isRpcError, type RpcError } from '../../rpc/errors/rpc-error.ts'
import { isPromise } from '../../rpc/promise.ts'
import { InputRequired, type RoundEnd } from '../input/input-required.ts'
import { roundsOf } from '../input/input-rounds.ts'
import type { Call } from './call.ts'

/**
 * Runs a handler until it has a result, or its round ends. A question that cannot be asked now ends the round from
 * inside; whatever the handler returns or throws afterwards is dropped, so that catching it changes nothing.
 */
export function runHandler(call: Call, run: () => unknown): unknown {
  let pending: unknown
  try {
    pending = run()
  } catch (error) {
    return afterLinks(call, error)
  }
  if (isPromise(pending)) return untilSuspended(call, pending, run)
  return pending instanceof InputRequired ? endRound(call, pending, run) : pending
}

async function untilSuspended(
  call: Call,
  pending: PromiseLike<unknown>,
  run: () => unknown,
): Promise<unknown> {
  const returned = call.caller.codec.has.liveQuestions
    ? await pending
    : await new Promise<unknown>((resolve, reject) => {
        call.onSuspend = resolve
        pending.then(resolve, reject)
      }).catch((error: unknown) => afterLinks(call, error))
  return returned instanceof InputRequired ? endRound(call, returned, run) : returned
}

/** Where an error cannot name links that have to be opened first, they are asked for, and the handler runs again. */
function afterLinks(call: Call, error: unknown): Promise<RoundEnd> {
  if (!isRpcError(error, 'url_elicitation_required')) throw error
  return showLinks(call, error)
}

async function showLinks(
  call: Call,
  error: RpcError<'url_elicitation_required'>,
): Promise<RoundEnd> {
  const end = await roundsOf(call).showLinks(error.data.elicitations)
  if (end) return end
  throw error
}

async function endRound(call: Call, returned: InputRequired, run: () => unknown): Promise<unknown> {
  const end = await roundsOf(call).end(returned)
  return end ?? runHandler(call, run)
}
