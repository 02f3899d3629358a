import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem, type Problem } from '../../schema/check.ts'
import { setLevelParams } from '../../schema/logging.ts'
import {
  completeParams,
  getPromptParams,
  readResourceParams,
  subscribeParams,
  callToolParams,
} from '../../schema/operation-params.ts'
import { listParams } from '../../schema/pagination.ts'
import { listenParams } from '../../schema/subscriptions.ts'

const checks = new Map<string, (params: unknown) => Problem | undefined>([
  ['tools/call', callToolParams],
  ['tools/list', listParams],
  ['prompts/get', getPromptParams],
  ['prompts/list', listParams],
  ['resources/read', readResourceParams],
  ['resources/list', listParams],
  ['resources/templates/list', listParams],
  ['resources/subscribe', subscribeParams],
  ['resources/unsubscribe', subscribeParams],
  ['completion/complete', completeParams],
  ['logging/setLevel', setLevelParams],
  ['subscriptions/listen', listenParams],
])

/** Throws `invalid_params`, saying where, for params that are not what the method takes. */
export function checkParams(method: string, params: object): void {
  const problem = checks.get(method)?.(params)
  if (problem !== undefined) {
    throw new RpcError('invalid_params', `${method}: ${describeProblem(problem)}`)
  }
}
