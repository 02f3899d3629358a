import type { OnError } from '../../../rpc/errors/on-error.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import { HttpRefusal } from '../admission/http-errors.ts'

/** Goes on with what a store answers: at once if it has, later if it has to be waited for. */
export function afterStore<T, U>(
  ask: () => MaybePromise<T>,
  goOn: (answer: T) => MaybePromise<U>,
  onFailure: (error: unknown) => MaybePromise<U>,
): MaybePromise<U> {
  let answer: MaybePromise<T>
  try {
    answer = ask()
  } catch (error) {
    return onFailure(error)
  }
  return isPromise(answer) ? answer.then(goOn, onFailure) : goOn(answer)
}

/** A store cannot be reached now: whoever needs it should come back. */
export function storeUnavailable(error: unknown, onError: OnError): HttpRefusal {
  onError(error, { severity: 'error', operation: 'store' })
  const refusal = new RpcError('overloaded', 'what is known of this session cannot be read now', {
    data: { retryAfterMs: 1_000 },
  })
  return new HttpRefusal(503, refusal, { 'retry-after': '1' })
}
