import { isRpcError, RpcError } from '../rpc/errors/rpc-error.ts'
import type { WireError } from '../rpc/message.ts'
import { isJsonObject } from '../schema/json/json.ts'
import { metaKeys } from './envelope.ts'
import { decodeWireError } from './error-codes.ts'
import { liftAnnotations } from './lift-annotations.ts'
import { omit } from './omit.ts'

interface Standing {
  readonly resultType?: unknown
  readonly _meta?: object
}

/** A result without what it says besides itself: its kind was looked at before, and who answers is known. */
export function decodeModernResult(method: string, result: object): object {
  const { resultType: _, _meta, ...rest } = result as Standing // every result may have them
  const own = _meta && withoutServer(_meta)
  const decoded = own === undefined ? rest : { _meta: own, ...rest }
  return method === 'tools/call' ? liftAnnotations(decoded) : decoded
}

/** Undefined if there is nothing else in it. */
function withoutServer(meta: object): object | undefined {
  if (!(metaKeys.server in meta)) return meta
  for (const key in meta) if (key !== metaKeys.server) return omit(meta, [metaKeys.server])
  return undefined
}

/** What an error means may depend on what was asked. */
export function decodeModernError(error: WireError, method: string, params?: object): RpcError {
  const decoded = decodeWireError(error)
  return isMissingResource(decoded, method, params)
    ? new RpcError('resource_not_found', decoded.message, {
        wireCode: decoded.wireCode,
        data: decoded.data as { readonly uri: string }, // just looked at
      })
    : decoded
}

/** The number is the one of bad params; only the URI tells them apart. */
function isMissingResource(error: RpcError, method: string, params: object | undefined): boolean {
  if (method !== 'resources/read' || !isRpcError(error, 'invalid_params')) return false
  const asked = params && 'uri' in params ? params.uri : undefined
  return isJsonObject(error.data) && asked !== undefined && error.data['uri'] === asked
}
