import {
  createMessageParams,
  createMessageResult,
  type CreateMessageRequestParams,
  toolUseProblem,
} from '../../schema/input/sampling.ts'
import type { JsonObject } from '../../schema/json.ts'
import { encodeInputResponse } from '../../wire/downgrade-input.ts'
import type { RequestCodec } from '../../wire/request-codec.ts'
import type { SampleHandler } from './input-handlers.ts'
import {
  expectResponse,
  invalid,
  undeclared,
  unsayable,
  type PreparedRequest,
} from './prepared-input.ts'

const method = 'sampling/createMessage'

export interface SamplingContext {
  readonly sample: SampleHandler
  readonly hasTools: boolean
  readonly codec: Pick<RequestCodec, 'has'> | undefined
}

/** The conversation to continue, ready for the handler. */
export function readSampling(
  params: JsonObject,
  { sample, hasTools, codec }: SamplingContext,
): PreparedRequest {
  const problem = invalid(method, createMessageParams(params)) ?? unsayable(method, params, codec)
  if (problem !== undefined) return problem
  const request = params as unknown as CreateMessageRequestParams // just checked
  if (!hasTools && (request.tools ?? request.toolChoice) !== undefined) {
    return undeclared('this client has no sampling with tools')
  }
  const imbalance = invalid(method, toolUseProblem(request.messages))
  if (imbalance !== undefined) return imbalance
  return {
    kind: 'ready',
    async run(about) {
      const result = await sample(request, about)
      expectResponse(createMessageResult(result), 'the answer of sample()')
      return codec ? encodeInputResponse(method, result, codec.has) : result
    },
  }
}
