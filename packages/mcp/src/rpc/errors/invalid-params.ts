import { describeProblem, type Check } from '../../schema/check.ts'
import { RpcError } from './rpc-error.ts'

/** The params as what the method takes. Throws `invalid_params`, saying where, for others. */
export function readParams<Params>(method: string, check: Check<Params>, params: unknown): Params {
  const problem = check(params)
  if (problem === undefined) return params as Params // just checked
  throw new RpcError('invalid_params', `${method}: ${describeProblem(problem)}`)
}
