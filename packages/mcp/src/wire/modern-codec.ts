import { isRpcError, wireCodes, type RpcError } from '../rpc/errors/rpc-error.ts'
import { merge } from '../rpc/merge.ts'
import type { WireError } from '../rpc/message.ts'
import type { DiscoverResult } from '../schema/lifecycle.ts'
import type { Implementation } from '../schema/metadata.ts'
import { clientRequestRow, clientRequests } from '../schema/methods/client-requests.ts'
import { methodsIn } from '../schema/methods/method-row.ts'
import type { Revision } from '../schema/revision.ts'
import type { ListToolsResult } from '../schema/tools.ts'
import type { Codec, WireFeatures } from './codec.ts'
import { downgradeCapabilities } from './downgrade-initialize.ts'
import { downgradeTool } from './downgrade-results.ts'
import { encodeWireError, type WireCodes } from './error-codes.ts'
import { forEachRevision } from './features.ts'
import { inputRequestsIn } from './input-methods.ts'
import { metaKeys } from './request-meta.ts'

/** 2026-07-28 names its own errors and gives up -32002. */
export const codes20260728: WireCodes = {
  ...wireCodes,
  resource_not_found: -32602,
  header_mismatch: -32020,
  missing_client_capability: -32021,
  unsupported_version: -32022,
}

/** A revision without `initialize`: every request says who sends it, every result what kind it is. */
function createModernCodec(revision: Revision, has: WireFeatures): Codec {
  return {
    revision,
    has,
    clientRequests: methodsIn(clientRequests, revision),
    inputMethods: inputRequestsIn(revision),
    encodeResult(method, result, server) {
      const complete = encoders.get(method)?.(result as never, has) ?? result // the table pairs each method with its own type
      return withResultType(method, complete, server)
    },
    encodeParams: (_, params) => params,
    encodeError: encodeModernError,
  }
}

interface Standing {
  readonly resultType?: unknown
  readonly ttlMs?: number
  readonly cacheScope?: string
  readonly _meta?: object
}

/** Adds the members that every result has, unless it sets them itself; without a hint it may not be cached. Not by spreads: see `merge`. */
function withResultType(
  method: string,
  result: Standing,
  server: Implementation | undefined,
): object {
  const isStored = clientRequestRow(method).isCacheable && result.resultType === undefined
  const written = isStored
    ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    : { resultType: 'complete' }
  return server === undefined
    ? Object.assign(written, result)
    : Object.assign(written, result, { _meta: withServerInfo(result._meta, server) })
}

/** With the name of who answers. */
function withServerInfo(own: object | undefined, server: Implementation): object {
  return own === undefined ? metaOf(server) : merge(own, { [metaKeys.server]: server })
}

const metas = new WeakMap<Implementation, object>()

/** The same for every result of a server. */
function metaOf(server: Implementation): object {
  let meta = metas.get(server)
  if (meta === undefined) metas.set(server, (meta = Object.freeze({ [metaKeys.server]: server })))
  return meta
}

const encoders = new Map<string, (result: never, has: WireFeatures) => object>([
  [
    'tools/list',
    (result: ListToolsResult, has) => ({
      ...result,
      tools: result.tools.map((tool) => downgradeTool(tool, has)),
    }),
  ],
  [
    'server/discover',
    (result: DiscoverResult, has) => ({
      ...result,
      capabilities: downgradeCapabilities(result.capabilities, has),
    }),
  ],
])

/** Encodes an error. Codes that the protocol reserves are sent only if it defines them. */
export function encodeModernError(error: RpcError): WireError {
  const encoded = encodeWireError(error, codes20260728)
  const isReserved = encoded.code >= -32768 && encoded.code <= -32000
  return isRpcError(error, 'other') && isReserved
    ? { ...encoded, code: codes20260728.internal_error }
    : encoded
}

/** Newest first. */
export const modernCodecs: readonly Codec[] = /* @__PURE__ */ forEachRevision((revision, has) =>
  has.initialize ? undefined : createModernCodec(revision, has),
)
