import { isRpcError, type RpcError } from '../../rpc/errors/rpc-error.ts'
import { isPromise } from '../../rpc/promise.ts'
import { InputRequired, type RoundEnd } from '../input/input-required.ts'
import { roundsOf } from '../input/input-rounds.ts'
import type { Call } from './call.ts'

/**
 * Runs a handler until it has a result, or its round ends. An input request that cannot be sent now ends the round; what
 * the handler returns or throws after that is dropped, so catching the error changes nothing.
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
  const returned = call.caller.codec.has.serverRequests
    ? await pending
    : await new Promise<unknown>((resolve, reject) => {
        call.onSuspend = resolve
        pending.then(resolve, reject)
      }).catch((error: unknown) => afterLinks(call, error))
  return returned instanceof InputRequired ? endRound(call, returned, run) : returned
}

/** Where the revision has no error for URLs to open first, they become input requests, and the handler runs again. */
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
