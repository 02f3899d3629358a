import { RpcError } from '../rpc/errors/rpc-error.ts'
import type { ElicitSchema, PrimitiveSchemaDefinition } from '../schema/input/elicit-schema.ts'
import type { ElicitRequestParams } from '../schema/input/elicitation.ts'
import type { ListRootsResult } from '../schema/input/input.ts'
import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type SamplingMessage,
  blocksOf,
} from '../schema/input/sampling.ts'
import { omit } from '../schema/json.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeAnnotated } from './downgrade-results.ts'

/** A question as a revision can ask it; throws where it cannot be asked at all. */
function downgradeElicitation(params: ElicitRequestParams, has: WireFeatures): object {
  if (has.elicitation === 'none') throw cannotRequest('the revision in use has no elicitation')
  if (params.mode === 'url') {
    if (has.elicitation === 'plain')
      throw cannotRequest('the revision in use has no URL elicitation')
    return has.elicitationIds ? params : omit(params, ['elicitationId'])
  }
  if (has.elicitation === 'full') {
    return { ...params, requestedSchema: withoutPatterns(params.requestedSchema) }
  }
  const { mode: _, ...form } = params
  return { ...form, requestedSchema: downgradeForm(form.requestedSchema) }
}

/** Schema libraries write patterns beside formats; no revision has them in forms. The server checks them anyway. */
function withoutPatterns(schema: ElicitSchema): ElicitSchema {
  const properties = Object.entries(schema.properties)
  if (!properties.some(([, property]) => 'pattern' in property)) return schema
  const plain = properties.map(([name, property]) => [name, omit(property, ['pattern'])] as const)
  return { ...schema, properties: Object.fromEntries(plain) }
}

function downgradeForm(schema: ElicitSchema): object {
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => [name, downgradeProperty(name, property)] as const,
  )
  const { type, required } = schema
  return { type, properties: Object.fromEntries(properties), ...(required && { required }) }
}

function downgradeProperty(name: string, property: PrimitiveSchemaDefinition): object {
  if (property.type === 'array') {
    throw cannotRequest(`the revision in use cannot ask for several values at once (${name})`)
  }
  const missing = property.type === 'boolean' ? [] : ['default', 'pattern']
  const plain = omit(property, missing)
  if (!('oneOf' in plain)) return plain
  const { oneOf, ...rest } = plain
  return {
    ...rest,
    enum: oneOf.map((value) => value.const),
    enumNames: oneOf.map((value) => value.title),
  }
}

function cannotRequest(why: string): RpcError {
  return new RpcError('missing_client_capability', why, {
    data: { requiredCapabilities: { elicitation: {} } },
  })
}

/** A sampling request as a revision can make it; throws where it cannot. */
function downgradeSampling(
  params: CreateMessageRequestParams,
  has: WireFeatures,
): CreateMessageRequestParams {
  if (has.samplingTools) return params
  if (params.tools !== undefined) throw cannotSay('sampling with tools')
  const { toolChoice: _, ...rest } = params
  return { ...rest, messages: rest.messages.map((message) => downgradeMessage(message, has)) }
}

function downgradeSamplingResult(
  result: CreateMessageResult,
  has: WireFeatures,
): CreateMessageResult {
  if (has.samplingTools) return result
  return { ...result, ...downgradeMessage(result, has) }
}

function downgradeMessage(message: SamplingMessage, has: WireFeatures): SamplingMessage {
  const { role } = message
  const [block, ...more] = blocksOf(message)
  if (block === undefined || more.length > 0)
    throw cannotSay('messages with several content blocks')
  if (block.type === 'tool_use' || block.type === 'tool_result') throw cannotSay('tool use')
  if (block.type === 'audio' && !has.audio) throw cannotSay('audio in sampling')
  const plain = has.itemMeta ? block : omit(block, ['_meta'])
  return { role, content: downgradeAnnotated(plain, has) }
}

function cannotSay(what: string): RpcError {
  return new RpcError('missing_client_capability', `the revision in use has no ${what}`, {
    data: { requiredCapabilities: { sampling: {} } },
  })
}

/** Params of what a server asks; throws `RpcError` for what a revision cannot ask. */
export function encodeInputRequest(method: string, params: object, has: WireFeatures): object {
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

/** Writes a client's response; throws `RpcError` if the revision cannot express it. */
export function encodeInputResponse(method: string, result: object, has: WireFeatures): object {
  if (method === 'sampling/createMessage') {
    return downgradeSamplingResult(result as CreateMessageResult, has) // the method says what it is, as below
  }
  if (!has.initialize) return omit(result, ['_meta']) // it travels inside a request, and says nothing but itself
  if (method !== 'roots/list' || has.itemMeta) return result
  const { roots, ...rest } = result as ListRootsResult
  return { ...rest, roots: roots.map((root) => omit(root, ['_meta'])) }
}
