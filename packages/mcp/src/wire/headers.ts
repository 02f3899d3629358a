import { RpcError } from '../rpc/errors/rpc-error.ts'
import { encodeBase64 } from '../schema/base64.ts'
import { defaultDialect, subschemas } from '../schema/json-schema/dialect.ts'
import { readOwn, type JsonObject, isObject, isJsonObject } from '../schema/json.ts'
import { clientRequestRow } from '../schema/methods/client-requests.ts'
import type { JsonSchema } from '../schema/standard-schema.ts'

/** A request as far as headers repeat it. */
export interface MirroredRequest {
  readonly method: string
  readonly params: JsonObject
}

/** Reads a header by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined

/** What a request names: a tool, a prompt, a resource or a task. */
export function mirroredName(method: string, params: JsonObject): string | undefined {
  const { namedBy } = clientRequestRow(method)
  const name = namedBy === undefined ? undefined : readOwn(params, namedBy)
  return typeof name === 'string' ? name : undefined
}

/** Headers that repeat a modern request, for those who route it without reading it. */
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

/** Refuses a request whose headers do not repeat its method and name. */
export function headerMismatch(
  { method, params }: MirroredRequest,
  header: ReadHeader,
): RpcError<'header_mismatch'> | undefined {
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

const prefix = '=?base64?'
const suffix = '?='

/** What a header can repeat of a body. */
type HeaderValue = string | number | boolean

/** A value as a header carries it: as it is where that is safe, else as base64 of its UTF-8 between marks. */
export function encodeHeaderValue(value: HeaderValue): string {
  const text = String(value)
  return isSafe(text) ? text : `${prefix}${encodeBase64(encoder.encode(text))}${suffix}`
}

/** What a header says; undefined for bytes that no header may have, and for base64 that is none to the letter. */
export function decodeHeaderValue(text: string): string | undefined {
  if (!/^[\t\x20-\x7e]*$/.test(text)) return undefined
  const value = text.trim() // blanks around a field are no part of it
  const payload = value.slice(prefix.length, -suffix.length)
  const isWrapped = value.length >= prefix.length + suffix.length && looksWrapped(value)
  return isWrapped ? decodeBase64Text(payload) : value
}

/** Whether a header says what the body says. One for nothing is as wrong as none for something: it would mislead. */
export function repeatsValue(text: string | undefined, value: HeaderValue | undefined): boolean {
  if (text === undefined || value === undefined) return text === value
  if (text === encodeHeaderValue(value)) return typeof value !== 'number' || isExact(value)
  const said = decodeHeaderValue(text)
  if (said === undefined || typeof value !== 'number') return said === String(value)
  return isExact(value) && isNumber(said) && Number(said) === value
}

/** Beyond this, two integers that differ are read as one. */
function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
}

/** Printable ASCII that keeps its ends on the way and is not taken for base64. */
function isSafe(text: string): boolean {
  return /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(text) && !looksWrapped(text)
}

function looksWrapped(text: string): boolean {
  return text.startsWith(prefix) && text.endsWith(suffix)
}

/** `atob` forgives missing padding and blanks; writing it again does not. */
function decodeBase64Text(payload: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    return encodeBase64(bytes) === payload ? decoder.decode(bytes) : undefined
  } catch {
    return undefined // not its alphabet, or not UTF-8
  }
}

const encoder = new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

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
