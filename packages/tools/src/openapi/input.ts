import type { JsonObject, JsonSchema, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { shorten } from './convert-schema.ts'
import type { Operation, Parameter } from './operations.ts'
import { bodyFormat, type BodyFormat } from './request-body.ts'
import type { SchemaDefinitions } from './schema-definitions.ts'

/** The arguments of a tool, and which part of the request each becomes. */
export interface ToolInput {
  readonly inputSchema: JsonSchema
  readonly parameters: readonly (readonly [argument: string, parameter: Parameter])[]
  readonly body: { readonly argument: string; readonly format: BodyFormat } | undefined
}

/** One argument for each parameter, and one for the body. */
export function inputOf(
  operation: Operation,
  definitions: SchemaDefinitions,
  maxBytes: number,
): ToolInput | { readonly problem: string } {
  if (operation.method === 'trace') return { problem: 'TRACE cannot be sent with fetch' }
  // Nor can GET and HEAD have a body there; a document that gives them one means nothing by it.
  const isRead = operation.method === 'get' || operation.method === 'head'
  const input = isRead ? undefined : operation.body
  const format = input && bodyFormat(input)
  if (input !== undefined && format === undefined && input['required'] === true) {
    const types = Object.keys(objectContent(input)).join(', ')
    return { problem: `its body cannot be written: ${types || 'it has no content'}` }
  }
  const free = createArgumentNames()
  const parameters = operation.parameters
    .toSorted((a, b) => locations.indexOf(a.in) - locations.indexOf(b.in))
    .map((parameter) => [free(parameter.name, parameter.in), parameter] as const)
  const body = format && { argument: free('body', 'request'), format }

  const properties: { [argument: string]: JsonSchema | boolean } = {}
  for (const [argument, { schema, description }] of parameters) {
    properties[argument] = described(definitions.convert(schema, 'input'), description)
  }
  if (body) {
    const text = input?.['description']
    const name = typeof text === 'string' ? text : undefined
    properties[body.argument] = described(definitions.convert(body.format.schema, 'input'), name)
  }
  const required = [
    ...parameters.filter(([, parameter]) => parameter.required).map(([argument]) => argument),
    ...(body?.format.required ? [body.argument] : []),
  ]
  const schema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
  const $defs = definitions.definitionsFor(schema, 'input', maxBytes)
  const inputSchema = Object.keys($defs).length > 0 ? { ...schema, $defs } : schema
  return { inputSchema, parameters, body }
}

const locations = ['path', 'query', 'header', 'cookie']

/** Names that models accept. Of two that are equal the second says where it belongs. */
function createArgumentNames(): (name: string, place: string) => string {
  const usedNames = new Set(['__proto__'])
  return (name, location) => {
    const safe = name.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 56) || location
    let free = safe
    for (let at = 1; usedNames.has(free); at++) free = `${safe}_${location}${at > 1 ? at : ''}`
    usedNames.add(free)
    return free
  }
}

function described(schema: JsonSchema | boolean, description: string | undefined) {
  if (description === undefined || !isJsonObject(schema)) return schema
  return { ...schema, description: shorten(description) }
}

function objectContent(body: JsonObject): { readonly [type: string]: JsonValue | undefined } {
  return isJsonObject(body['content']) ? body['content'] : {}
}
