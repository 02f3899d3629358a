import { RpcError } from '../rpc/errors/rpc-error.ts'
import { readOwn } from '../schema/json-schema/members.ts'
import type { JsonObject } from '../schema/json/json.ts'
import { clientRequestRow } from '../schema/methods/client-requests.ts'
import { encodeHeaderValue, repeatsValue } from './header-value.ts'

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

/** Refuses a request whose headers name another revision than its body, or none. Comes before all other checks. */
export function versionMismatch(
  version: string,
  header: ReadHeader,
): RpcError<'header_mismatch'> | undefined {
  const isSame = header('mcp-protocol-version')?.trim() === version
  return isSame ? undefined : wrongHeader('MCP-Protocol-Version')
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
