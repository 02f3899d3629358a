import type { ElicitRequestParams } from '../schema/input/elicitation.ts'
import type { ListRootsResult } from '../schema/input/roots.ts'
import type { CreateMessageRequestParams, CreateMessageResult } from '../schema/input/sampling.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeElicitation } from './downgrade-elicitation.ts'
import { downgradeSampling, downgradeSamplingResult } from './downgrade-sampling.ts'
import { omit } from './omit.ts'

/** Params of what a server asks; throws `RpcError` for what a revision cannot ask. */
export function encodeQuestion(method: string, params: object, has: WireFeatures): object {
  const encoded = encodeParams(method, params, has)
  return has.initialize || method === 'roots/list' ? encoded : omit(encoded, ['_meta'])
}

function encodeParams(method: string, params: object, has: WireFeatures): object {
  // The method says what they are.
  if (method === 'elicitation/create')
    return downgradeElicitation(params as ElicitRequestParams, has)
  return method === 'sampling/createMessage'
    ? downgradeSampling(params as CreateMessageRequestParams, has)
    : params
}

/** What a client answers; throws `RpcError` for what a revision cannot say. */
export function encodeAnswer(method: string, result: object, has: WireFeatures): object {
  if (method === 'sampling/createMessage') {
    return downgradeSamplingResult(result as CreateMessageResult, has) // the method says what it is, as below
  }
  if (!has.initialize) return omit(result, ['_meta']) // it travels inside a request, and says nothing but itself
  if (method !== 'roots/list' || has.itemMeta) return result
  const { roots, ...rest } = result as ListRootsResult
  return { ...rest, roots: roots.map((root) => omit(root, ['_meta'])) }
}
