import { RpcError } from '../rpc/errors/rpc-error.ts'
import { encodeBase64 } from '../schema/base64.ts'
import { readMember, type JsonObject } from '../schema/json.ts'
import { clientRequestRow } from '../schema/methods/client-requests.ts'

/** A request as far as headers repeat it. */
interface MirroredRequest {
  readonly method: string
  readonly params: JsonObject
}

/** Returns the name in a request: of a tool, a prompt, a resource or a task. */
export function mirroredName(method: string, params: JsonObject): string | undefined {
  const { namedBy } = clientRequestRow(method)
  const name = namedBy === undefined ? undefined : readMember(params, namedBy)
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

const prefix = '=?base64?'
const suffix = '?='

/** A value of the body that a header can repeat. */
export type HeaderValue = string | number | boolean

/** A value as a header carries it: as it is where that is safe, else as base64 of its UTF-8 between marks. */
export function encodeHeaderValue(value: HeaderValue): string {
  const text = String(value)
  return isSafe(text) ? text : `${prefix}${encodeBase64(encoder.encode(text))}${suffix}`
}

/** Decodes a header; undefined for bytes that are not allowed in headers, and for invalid base64. */
export function decodeHeaderValue(text: string): string | undefined {
  if (!/^[\t\x20-\x7e]*$/.test(text)) return undefined
  const value = text.trim() // blanks around a field are no part of it
  const payload = value.slice(prefix.length, -suffix.length)
  const isWrapped = value.length >= prefix.length + suffix.length && looksWrapped(value)
  return isWrapped ? decodeBase64Text(payload) : value
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

/** A server's check that the headers of a request repeat its body. */

/** Reads a header by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined

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

/** Whether a header says what the body says. One for nothing is as wrong as none for something: it would mislead. */
export function repeatsValue(text: string | undefined, value: HeaderValue | undefined): boolean {
  if (text === undefined || value === undefined) return text === value
  if (text === encodeHeaderValue(value)) return typeof value !== 'number' || isExact(value)
  const decoded = decodeHeaderValue(text)
  if (decoded === undefined || typeof value !== 'number') return decoded === String(value)
  return isExact(value) && isNumber(decoded) && Number(decoded) === value
}

/** Beyond this, two integers that differ are read as one. */
function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)
}
