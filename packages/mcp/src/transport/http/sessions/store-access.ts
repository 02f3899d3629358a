import type { OnError } from '../../../rpc/errors/on-error.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import { HttpError } from '../admission/http-errors.ts'

/** Continues with the answer of a store: at once if it is there, else when it comes. */
export function afterStore<T, U>(
  request: () => MaybePromise<T>,
  resume: (answer: T) => MaybePromise<U>,
  onFailure: (error: unknown) => MaybePromise<U>,
): MaybePromise<U> {
  let answer: MaybePromise<T>
  try {
    answer = request()
  } catch (error) {
    return onFailure(error)
  }
  return isPromise(answer) ? answer.then(resume, onFailure) : resume(answer)
}

/** The error for a client whose request needs a store that is unreachable. */
export function storeUnavailable(error: unknown, onError: OnError): HttpError {
  onError(error, { severity: 'error', operation: 'store' })
  const rejection = new RpcError(
    'overloaded',
    'the session store is unreachable: try again in a second',
    {
      data: { retryAfterMs: 1_000 },
    },
  )
  return new HttpError(503, rejection, { 'retry-after': '1' })
}
