import type { WireError } from '../../rpc/message.ts'
import type { RpcError } from '../../rpc/rpc-error.ts'
import { encodeWireError } from '../../wire/error-codes.ts'

/** The status of an answer that is one error: some have a number that is one, some mean a bad request, the rest is 200. */
export function statusOf({ code }: WireError): number {
  if (code >= 400 && code < 600) return code
  return code === -32700 || code === -32600 ? 400 : 200
}

/** A refusal before any call: a status and a JSON-RPC error without an id, or with the one that could be read. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly error: RpcError

  constructor(status: number, error: RpcError, headers: { readonly [name: string]: string } = {}) {
    super(error.message)
    this.status = status
    this.error = error
    this.headers = headers
  }
}

/** The body that goes with a refusal. */
export function refusalBody(error: RpcError, id?: string | number): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: encodeWireError(error),
  })
}
