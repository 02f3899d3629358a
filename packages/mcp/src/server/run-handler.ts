import { isPromise } from '../rpc/promise.ts'
import type { Call } from './call.ts'
import { InputRequired } from './input-required.ts'
import type { RoundEnd } from './rounds.ts'

/**
 * Runs a handler until it has a result, or its round ends. A question that cannot be asked now ends the round from
 * inside; whatever the handler returns or throws afterwards is dropped, so that catching it changes nothing.
 */
export function runHandler(call: Call, run: () => unknown): unknown {
  const pending = run()
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
      })
  return returned instanceof InputRequired ? endRound(call, returned, run) : returned
}

async function endRound(call: Call, returned: InputRequired, run: () => unknown): Promise<unknown> {
  const end: RoundEnd | undefined = await call.rounds().end(returned)
  return end ?? runHandler(call, run)
}
