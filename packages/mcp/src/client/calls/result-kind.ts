import { McpError } from '../../rpc/errors/mcp-error.ts'
import type { JsonObject } from '../../schema/json.ts'
import { clientRequestRow } from '../../schema/methods/client-requests.ts'
import { hooksFor, type ClientExtension } from '../extension.ts'

export interface ResultKindOptions {
  readonly extensions: readonly ClientExtension[]
  /** A result without a kind is invalid. */
  readonly isStrict: boolean
  readonly peer: string | undefined
}

/** The kind of a result in the modern era. Throws for a kind that is unknown, or that the method cannot have. */
export function kindOfResult(
  { resultType }: JsonObject,
  method: string,
  { extensions, isStrict, peer }: ResultKindOptions,
): string {
  if (resultType === 'complete' || (resultType === undefined && !isStrict)) return 'complete'
  if (typeof resultType === 'string') {
    if (resultType === 'input_required' && clientRequestRow(method).mayNeedInput) return resultType
    if (hooksFor(extensions, resultType, method) !== undefined) return resultType
  }
  const what =
    resultType === undefined ? 'no resultType' : `resultType ${JSON.stringify(resultType)}`
  throw new McpError('invalid_message', `the answer to ${method} has ${what}`, {
    details: { excerpt: what },
    peer,
  })
}

/** The server answered, but not with what the method has as its result. */
export function unusableResponse(method: string, why: string, peer: string | undefined): McpError {
  return new McpError('invalid_message', `the answer to ${method} is not usable: ${why}`, {
    details: { excerpt: why },
    peer,
  })
}
