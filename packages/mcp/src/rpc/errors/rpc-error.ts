import type { ClientCapabilities } from '../../schema/capabilities.ts'
import type { ElicitRequestURLParams } from '../../schema/input/elicitation.ts'
import type { SchemaIssue } from '../../schema/standard-schema.ts'

/** The `data` of each wire error. The keys are the closed set of names. */
export interface RpcErrorData {
  /** The message is not JSON. */
  parse_error: undefined
  /** The message is not a valid JSON-RPC request, or not allowed at this moment. */
  invalid_request: undefined
  /** There is no such method, or its capability was not declared. */
  method_not_found: { readonly method: string } | undefined
  /** The params are malformed, or name a tool, prompt or cursor that does not exist. */
  invalid_params: { readonly issues?: readonly SchemaIssue[] } | undefined
  /** The server failed; its log has the cause under the correlation id. */
  internal_error: { readonly correlationId?: string } | undefined
  /** The resource does not exist, or not for this caller. */
  resource_not_found: { readonly uri: string }
  /** The client cannot do what the call needs. */
  missing_client_capability: { readonly requiredCapabilities: ClientCapabilities }
  /** The requested revision is not spoken here. */
  unsupported_version: { readonly supported: readonly string[]; readonly requested: string }
  /** An HTTP header says something else than the body. */
  header_mismatch: { readonly header: string } | undefined
  /** The user must open links before the call can be made. */
  url_elicitation_required: { readonly elicitations: readonly ElicitRequestURLParams[] }
  /** The client's handler for a question threw. */
  input_refused: undefined
  /** The caller must sign in. */
  unauthorized: undefined
  /** The caller lacks these scopes. */
  insufficient_scope: { readonly scopes: readonly string[] }
  /** The `Host` or `Origin` is not allowed; `option` names the option that would allow it. */
  forbidden:
    | { readonly header?: string; readonly seen?: string; readonly option?: string }
    | undefined
  /** The session ended, or belongs to somebody else. */
  session_not_found: undefined
  /** A limit was exceeded: its name, its value, and how much was seen. */
  limit_exceeded: { readonly limit: string; readonly allowed: number; readonly seen?: number }
  /** Too many requests at once, or the server is shutting down; wait `retryAfterMs` if it is there. */
  overloaded:
    | {
        readonly retryAfterMs?: number
        readonly limit?: string
        readonly allowed?: number
        readonly seen?: number
      }
    | undefined
  /** The process that did the work is gone; `retryable` says whether calling again is safe. */
  node_lost: { readonly retryable: boolean }
  /** A number this table does not know: the application's own, or a foreign peer's. */
  other: unknown
}
/** The names of errors that cross the wire. */
export type RpcErrorCode = keyof RpcErrorData

/**
 * The number of each name in the revisions up to 2025-11-25. The protocol has none for the HTTP-like ones and reserves
 * its own range, so those use the HTTP status and put their name in `data.reason`.
 */
export const wireCodes = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
  resource_not_found: -32002,
  missing_client_capability: -32603,
  unsupported_version: -32602,
  header_mismatch: -32600,
  url_elicitation_required: -32603,
  input_refused: -1,
  unauthorized: 401,
  insufficient_scope: 403,
  forbidden: 403,
  session_not_found: 404,
  limit_exceeded: 413,
  overloaded: 503,
  node_lost: -32603,
  other: -32603,
} as const satisfies Record<RpcErrorCode, number>

/** Crosses the wire, either way. `code` is the same in every revision; `wireCode` is the number it has there. */
export class RpcError<Code extends RpcErrorCode = RpcErrorCode> extends Error {
  /** Always `RpcError`, also across copies of this package. */
  override readonly name = 'RpcError'
  /** The kind of error, by a name that is the same in every revision. */
  readonly code: Code
  /** The number on the wire, as in the peer's revision. */
  readonly wireCode: number
  /** Data of the error; its members depend on `code`. */
  readonly data: RpcErrorData[Code]

  /**
   * Throw it in a handler to answer a request with this error. `wireCode` is only for code `other`, outside of -32768
   * to -32000.
   */
  constructor(
    code: Code,
    message: string,
    options: {
      readonly data?: RpcErrorData[Code] | undefined
      /** Only with code `other`; outside -32768..-32000. */
      readonly wireCode?: number | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.wireCode = options.wireCode ?? wireCodes[code]
    this.data = options.data as RpcErrorData[Code] // absent only where the table allows undefined, or by the caller's choice
  }
}

/** Narrows to a wire error, and to one code if given; holds across copies of this package. */
export function isRpcError<Code extends RpcErrorCode = RpcErrorCode>(
  error: unknown,
  code?: Code,
): error is RpcError<Code> {
  if (!(error instanceof Error) || error.name !== 'RpcError' || !('wireCode' in error)) return false
  return code === undefined || ('code' in error && error.code === code)
}
