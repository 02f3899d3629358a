import { defaultDialect, subschemas } from '../schema/json-schema/dialect.ts'
import { isJsonObject, isObject, readMember, type JsonObject } from '../schema/json.ts'
import type { JsonSchema } from '../schema/standard-schema.ts'
import { repeatsValue, type ReadHeader, encodeHeaderValue, type HeaderValue } from './headers.ts'

// A file of its own: a client in a page needs it only for tools whose arguments are repeated in headers.

const keyword = 'x-mcp-header'

/** An argument that a header repeats. */
export interface HeaderAnnotation {
  /** Without `Mcp-Param-`, as the schema writes it. */
  readonly header: string
  /** Members from the arguments down to the value. */
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean'
}

/** Which arguments of a tool headers repeat, or why that cannot be. */
export function headerAnnotations(
  inputSchema: JsonSchema,
): { readonly annotations: readonly HeaderAnnotation[] } | { readonly problem: string } {
  const annotations: HeaderAnnotation[] = []
  const usedNames = new Set<string>()
  for (const { header, path, type } of annotated(inputSchema, [])) {
    if (typeof header !== 'string' || !/^[!#$%&'*+.^_`|~\w-]+$/.test(header)) {
      return { problem: `${keyword} ${JSON.stringify(header)} is not a valid HTTP header name` }
    }
    const named = `${keyword} ${JSON.stringify(header)}`
    if (path === undefined || path.length === 0) {
      const why = 'is somewhere else than on a property, which properties alone lead to'
      return { problem: `${named} ${why}` }
    }
    if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
      const why = `is on type ${JSON.stringify(type) ?? 'unknown'}`
      return { problem: `${named} ${why}: it can be on string, integer and boolean` }
    }
    if (usedNames.has(header.toLowerCase())) return { problem: `${named} is there twice` }
    usedNames.add(header.toLowerCase())
    annotations.push({ header, path, type })
  }
  return { annotations }
}

interface Annotated {
  readonly header: unknown
  readonly type: unknown
  /** Undefined where the value is not always in the same place. */
  readonly path: readonly string[] | undefined
}

function* annotated(schema: JsonSchema, path: Annotated['path']): Generator<Annotated> {
  const header = readMember(schema, keyword)
  if (header !== undefined) yield { header, path, type: readMember(schema, 'type') }
  // The newest dialect has the words of all older ones.
  for (const [child, container, name] of subschemas(schema, defaultDialect)) {
    if (!isObject(child)) continue
    yield* annotated(child, container === 'properties' ? path?.concat(String(name)) : undefined)
  }
}

/** Headers that repeat the annotated arguments of a call; none for what is absent or null. */
export function paramHeaders(
  annotations: readonly HeaderAnnotation[],
  args: JsonObject,
): Record<`mcp-param-${string}`, string> {
  const headers: Record<`mcp-param-${string}`, string> = {}
  for (const { header, path } of annotations) {
    const value = valueAt(args, path)
    if (value !== undefined) headers[`mcp-param-${lower(header)}`] = encodeHeaderValue(value)
  }
  return headers
}

/** The first header that does not repeat its argument, undefined if all do. */
export function paramMismatch(
  annotations: readonly HeaderAnnotation[],
  args: JsonObject,
  header: ReadHeader,
): string | undefined {
  const wrong = annotations.find(
    (annotation) =>
      !repeatsValue(
        header(`mcp-param-${lower(annotation.header)}`),
        valueAt(args, annotation.path),
      ),
  )
  return wrong && `Mcp-Param-${wrong.header}`
}

function lower(name: string): string {
  return name.toLowerCase()
}

/** Returns the value for a header; undefined for a value that does not match the schema, whose own message is better. */
function valueAt(args: JsonObject, path: readonly string[]): HeaderValue | undefined {
  let value: unknown = args
  for (const name of path) value = isJsonObject(value) ? readMember(value, name) : undefined
  return isHeaderValue(value) ? value : undefined
}

function isHeaderValue(value: unknown): value is HeaderValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
