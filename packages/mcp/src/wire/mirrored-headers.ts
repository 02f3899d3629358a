import { RpcError } from '../rpc/rpc-error.ts'
import { defaultDialect } from '../schema/json-schema/dialect.ts'
import { isObject, readOwn } from '../schema/json-schema/json-value.ts'
import { subschemas } from '../schema/json-schema/subschemas.ts'
import { isJsonObject, type JsonObject } from '../schema/json.ts'
import type { JsonSchema } from '../schema/standard-schema.ts'
import { encodeHeaderValue, repeatsValue, type HeaderValue } from './header-value.ts'

/** A request as far as headers repeat it. */
export interface MirroredRequest {
  readonly method: string
  readonly params: JsonObject
}

/** Reads a header by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined

/** What a request names: a tool, a prompt, a resource or a task. */
export function mirroredName(method: string, params: JsonObject): string | undefined {
  const member = namedBy.get(method)
  const name = member === undefined ? undefined : readOwn(params, member)
  return typeof name === 'string' ? name : undefined
}

const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** Headers that repeat a request of a revision without handshake, for those who route it without reading it. */
export function mirroredHeaders(
  { method, params }: MirroredRequest,
  version: string,
): { readonly [name: string]: string } {
  const name = mirroredName(method, params)
  return {
    'mcp-protocol-version': version,
    'mcp-method': encodeHeaderValue(method),
    ...(name !== undefined && { 'mcp-name': encodeHeaderValue(name) }),
  }
}

/** Refuses a request whose headers name another revision than its body, or none. Comes before all other checks. */
export function versionMismatch(
  version: string,
  header: ReadHeader,
): RpcError<'header_mismatch'> | undefined {
  const isSame = header('mcp-protocol-version')?.trim() === version
  return isSame ? undefined : wrongHeader('MCP-Protocol-Version')
}

/** Refuses a request whose headers do not repeat its revision, method and name. */
export function headerMismatch(
  { method, params }: MirroredRequest,
  version: string,
  header: ReadHeader,
): RpcError<'header_mismatch'> | undefined {
  const wrong = versionMismatch(version, header)
  if (wrong) return wrong
  if (!repeatsValue(header('mcp-method'), method)) return wrongHeader('Mcp-Method')
  const name = mirroredName(method, params)
  if (name === undefined || repeatsValue(header('mcp-name'), name)) return undefined
  return wrongHeader('Mcp-Name')
}

/** The refusal of a request for one of its headers. */
export function wrongHeader(header: string): RpcError<'header_mismatch'> {
  const message = `the header ${header} is missing, malformed, or says something else than the body`
  return new RpcError('header_mismatch', message, { data: { header } })
}

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
  const taken = new Set<string>()
  for (const { header, path, type } of annotated(inputSchema, [])) {
    if (typeof header !== 'string' || !/^[!#$%&'*+.^_`|~\w-]+$/.test(header)) {
      return { problem: `${keyword} ${JSON.stringify(header)} is no name HTTP allows for a header` }
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
    if (taken.has(header.toLowerCase())) return { problem: `${named} is there twice` }
    taken.add(header.toLowerCase())
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
  const header = readOwn(schema, keyword)
  if (header !== undefined) yield { header, path, type: readOwn(schema, 'type') }
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

/** What can be in a header; anything else does not fit the schema, which says so better. */
function valueAt(args: JsonObject, path: readonly string[]): HeaderValue | undefined {
  let value: unknown = args
  for (const name of path) value = isJsonObject(value) ? readOwn(value, name) : undefined
  return isHeaderValue(value) ? value : undefined
}

function isHeaderValue(value: unknown): value is HeaderValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
