import { RpcError } from '../../rpc/errors/rpc-error.ts'
import type { ServerCapabilities } from '../../schema/capabilities.ts'
import { describeProblem, type Check } from '../../schema/check.ts'
import { clientRequestRow } from '../../schema/methods/client-requests.ts'

/** Throws `invalid_params`, saying where, for params that are not what the method takes. */
export function requireParams<Params extends object>(
  method: string,
  check: Check<Params>,
  params: object,
): asserts params is Params {
  const problem = check(params)
  if (problem !== undefined) {
    throw new RpcError('invalid_params', `${method}: ${describeProblem(problem)}`)
  }
}

/** False for a method behind a capability that was not declared to this caller. */
export function isDeclared(method: string, declared: ServerCapabilities): boolean {
  const { capability } = clientRequestRow(method)
  return capability === undefined || declared[capability] !== undefined
}
