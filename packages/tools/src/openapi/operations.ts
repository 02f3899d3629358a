/**
 * The operations of an OpenAPI document with their parameters, body and security, as far as tools need them. Parameters of an operation
 * override those of its path.
 */

import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { follow, type OpenApiDocument } from './read-document.ts'

/** Methods of HTTP that a document can describe. */
export type HttpMethod = 'get' | 'put' | 'post' | 'delete' | 'patch' | 'head' | 'options' | 'trace'

const methods: readonly HttpMethod[] = [
  'get',
  'put',
  'post',
  'delete',
  'patch',
  'head',
  'options',
  'trace',
]

/** Which operation of a document. */
export interface OperationInfo {
  /** The HTTP method, in small letters. */
  readonly method: HttpMethod
  /** The path in the document, with `{parameters}`. */
  readonly path: string
  /** The id that the document gives it; absent if it gives none. */
  readonly operationId?: string
  /** Its tags; empty if it has none. */
  readonly tags: readonly string[]
  /** A few words about it. */
  readonly summary?: string
  /** More about it. */
  readonly description?: string
  /** The document advises against it. */
  readonly deprecated: boolean
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly description?: string
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  /** It is sent as JSON in one piece. */
  readonly isJson: boolean
  readonly schema: JsonValue | undefined
}

/** An operation with what its path says too. */
export interface Operation extends OperationInfo {
  readonly parameters: readonly Parameter[]
  readonly body: JsonObject | undefined
  readonly responses: JsonObject
  /** Alternatives; undefined if neither it nor the document asks for anything. */
  readonly security: readonly JsonObject[] | undefined
  /** Servers of its own. */
  readonly servers: readonly JsonObject[]
}

/** Every operation of a document, in its order. */
export function* operationsOf({ root }: OpenApiDocument): Generator<Operation> {
  for (const [path, pathItem] of Object.entries(objectOf(root['paths']))) {
    const item = path.startsWith('/') ? follow(root, pathItem) : undefined
    if (item === undefined) continue
    for (const method of methods) {
      const operation = item[method]
      if (isJsonObject(operation)) yield readOperation(root, path, method, item, operation)
    }
  }
}

function readOperation(
  root: JsonObject,
  path: string,
  method: HttpMethod,
  item: JsonObject,
  operation: JsonObject,
): Operation {
  const { operationId, tags, summary, description, deprecated } = operation
  return {
    method,
    path,
    ...(typeof operationId === 'string' && { operationId }),
    ...(typeof summary === 'string' && { summary }),
    ...(typeof description === 'string' && { description }),
    deprecated: deprecated === true,
    tags: listOf(tags).filter((tag): tag is string => typeof tag === 'string'),
    parameters: readParameters(root, [
      ...listOf(item['parameters']),
      ...listOf(operation['parameters']),
    ]),
    body: follow(root, operation['requestBody']),
    responses: objectOf(operation['responses']),
    security: securityOf(root, operation),
    servers: listOf(operation['servers'] ?? item['servers']).filter(isJsonObject),
  }
}

/** The later of two with the same place and name counts: an operation overrides its path. */
function readParameters(root: JsonObject, list: readonly unknown[]): readonly Parameter[] {
  const parameters = new Map<string, Parameter>()
  for (const item of list) {
    const read = readParameter(follow(root, item))
    if (read !== undefined) parameters.set(`${read.in} ${read.name}`, read)
  }
  return [...parameters.values()]
}

/** Headers that belong to the request itself, whatever a document says. */
const ownHeaders = new Set(['accept', 'content-type', 'authorization'])

function readParameter(value: JsonObject | undefined): Parameter | undefined {
  if (value === undefined) return undefined
  const { name, in: location, required, description, content, schema } = value
  if (typeof name !== 'string') return undefined
  if (
    location !== 'path' &&
    location !== 'query' &&
    location !== 'header' &&
    location !== 'cookie'
  ) {
    return undefined
  }
  if (location === 'header' && ownHeaders.has(name.toLowerCase())) return undefined
  const [media] = Object.values(objectOf(content))
  const usual = location === 'query' || location === 'cookie' ? 'form' : 'simple'
  const style = typeof value['style'] === 'string' ? value['style'] : usual
  return {
    name,
    in: location,
    required: location === 'path' || required === true,
    ...(typeof description === 'string' && { description }),
    style,
    explode: typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form',
    allowReserved: value['allowReserved'] === true,
    isJson: media !== undefined,
    schema: media === undefined ? schema : objectOf(media)['schema'],
  }
}

function securityOf(root: JsonObject, operation: JsonObject): readonly JsonObject[] | undefined {
  const requirements = operation['security'] ?? root['security']
  return Array.isArray(requirements) ? requirements.filter(isJsonObject) : undefined
}

/** An object of JSON, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
