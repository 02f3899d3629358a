import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem, type Check } from '../../schema/check.ts'

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
