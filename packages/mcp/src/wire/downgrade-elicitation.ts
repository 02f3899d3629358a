import { RpcError } from '../rpc/errors/rpc-error.ts'
import type { ElicitSchema, PrimitiveSchemaDefinition } from '../schema/input/elicit-schema.ts'
import type { ElicitRequestParams } from '../schema/input/elicitation.ts'
import type { WireFeatures } from './codec.ts'
import { omit } from './omit.ts'

/** A question as a revision can ask it; throws where it cannot be asked at all. */
export function downgradeElicitation(params: ElicitRequestParams, has: WireFeatures): object {
  if (has.elicitation === 'none') throw cannotAsk('the revision in use has no elicitation')
  if (params.mode === 'url') {
    if (has.elicitation === 'plain') throw cannotAsk('the revision in use has no URL elicitation')
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
    throw cannotAsk(`the revision in use cannot ask for several values at once (${name})`)
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

function cannotAsk(why: string): RpcError {
  return new RpcError('missing_client_capability', why, {
    data: { requiredCapabilities: { elicitation: {} } },
  })
}
