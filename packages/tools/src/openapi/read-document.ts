import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'
import { parseDocument } from 'yaml'

import { resolveReference } from '../transform/schema-references.ts'

/** An OpenAPI document of version 3, read. */
export interface OpenApiDocument {
  readonly root: JsonObject
  /** 3.0 has a dialect of JSON Schema of its own. */
  readonly isOldDialect: boolean
  readonly title: string
  readonly version: string
}

/** Levels of a document; more is a ring or an attack. */
const deepest = 200

/** Reads a document: an object, or its text as JSON or YAML. */
export function readDocument(source: object | string): OpenApiDocument {
  const root = typeof source === 'string' ? parseText(source) : source
  if (!isJsonObject(root)) throw new OpenApiError('the document is not an object')
  const { openapi, swagger, info } = root
  if (swagger !== undefined) {
    throw new OpenApiError(
      `the document is Swagger ${JSON.stringify(swagger)}: convert it to OpenAPI 3 first, for example with swagger2openapi`,
    )
  }
  if (typeof openapi !== 'string' || !/^3\.[012]\./.test(openapi)) {
    const seen = openapi === undefined ? 'no "openapi"' : `"openapi": ${JSON.stringify(openapi)}`
    throw new OpenApiError(`the document has ${seen}: versions 3.0 to 3.2 are understood`)
  }
  if (!isJsonObject(root['paths'])) throw new OpenApiError('the document has no "paths"')
  requireTree(root)
  const { title, version } = isJsonObject(info) ? info : {}
  return {
    root,
    isOldDialect: openapi.startsWith('3.0.'),
    title: typeof title === 'string' ? title : 'api',
    version: typeof version === 'string' ? version : '0',
  }
}

function parseText(text: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new OpenApiError(`the document is not JSON: ${String(error)}`, { cause: error })
    }
  }
  const document = parseDocument(text)
  const [problem] = document.errors
  if (problem !== undefined) throw new OpenApiError(`the document is not YAML: ${problem.message}`)
  return document.toJS({ maxAliasCount: 1_000 })
}

/** An object that was made by a program may contain itself; nothing below would ever end. */
function requireTree(root: JsonObject): void {
  const seen = new Set<object>()
  visit(root, 0)

  function visit(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    if (depth > deepest) {
      throw new OpenApiError(
        `the document is nested more than ${deepest} levels deep: use the form with $ref, not one with references replaced`,
      )
    }
    for (const member of Object.values(value)) visit(member, depth + 1)
    seen.add(value)
  }
}

const maxSteps = 32

/** An object of the document, or what its `$ref` leads to. */
export function follow(root: JsonObject, value: unknown): JsonObject | undefined {
  let found = value
  for (let steps = 0; steps < maxSteps; steps++) {
    if (!isJsonObject(found)) return undefined
    const { $ref } = found
    if (typeof $ref !== 'string') return found
    found = pointedAt(root, $ref)
  }
  throw new OpenApiError('a $ref leads to itself')
}

/** Returns the target of a reference inside the document. Nothing is ever fetched. */
export function pointedAt(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#')) {
    throw new OpenApiError(
      `${JSON.stringify(reference)} is in another file: bundle the document first, for example with redocly bundle`,
    )
  }
  const found = resolveReference(root, reference)
  if (found === undefined) throw new OpenApiError(`${JSON.stringify(reference)} leads nowhere`)
  return found
}

/** A document or an option that cannot be used: says where, why, and what to write instead. */
export class OpenApiError extends Error {
  /** Always `OpenApiError`. */
  override readonly name = 'OpenApiError'
}
