import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem, type Problem } from '../../schema/check.ts'
import { requestParams } from '../../schema/methods/request-params.ts'

const checks = new Map<string, (params: unknown) => Problem | undefined>(
  Object.entries(requestParams),
)

/** Throws `invalid_params`, saying where, for params that are not what the method takes. */
export function checkParams(method: string, params: object): void {
  const problem = checks.get(method)?.(params)
  if (problem !== undefined) {
    throw new RpcError('invalid_params', `${method}: ${describeProblem(problem)}`)
  }
}
