import { isRpcError, RpcError } from '../rpc/errors/rpc-error.ts'
import type { WireError } from '../rpc/message.ts'
import type { CompleteRequestParams } from '../schema/completion.ts'
import { isJsonObject, type JsonObject, omit } from '../schema/json.ts'
import type { InitializeRequestParams } from '../schema/lifecycle.ts'
import type { Revision } from '../schema/revision.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeClientCapabilities, downgradeImplementation } from './downgrade-initialize.ts'
import { decodeWireError } from './error-codes.ts'
import { forEachRevision, newestOf, supportedRevisions } from './features.ts'
import { metaKeys } from './request-meta.ts'

/** Some servers put `annotations` inside an embedded resource; they belong on the block (DEC-08). */
function liftAnnotations(result: object): object {
  const { content } = result as { readonly content?: unknown } // read before it is checked
  if (!Array.isArray(content) || !content.some(isMisplaced)) return result
  return { ...result, content: content.map((block) => (isMisplaced(block) ? lift(block) : block)) }
}

interface MisplacedBlock extends JsonObject {
  readonly resource: JsonObject
}

function isMisplaced(block: unknown): block is MisplacedBlock {
  return (
    isJsonObject(block) &&
    block['type'] === 'resource' &&
    block['annotations'] === undefined &&
    isJsonObject(block['resource']) &&
    isJsonObject(block['resource']['annotations'])
  )
}

function lift(block: MisplacedBlock): JsonObject {
  const { annotations, ...resource } = block.resource
  return { ...block, resource, annotations }
}

interface Standing {
  readonly resultType?: unknown
  readonly _meta?: object
}

/** A result without what it says besides itself: its kind was looked at before, and who answers is known. */
function decodeModernResult(method: string, result: object): object {
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

/** Decodes an error; its meaning may depend on the request. */
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
  const requestedUri = params && 'uri' in params ? params.uri : undefined
  return (
    isJsonObject(error.data) && requestedUri !== undefined && error.data['uri'] === requestedUri
  )
}

/** The half of a codec that a client needs for its own requests; responding to a server takes the whole codec. */
export interface RequestCodec {
  readonly revision: Revision
  readonly has: WireFeatures
  encodeParams(method: string, params: object): object
  decodeResult(method: string, result: object): object
  decodeError(error: WireError, method: string, params?: object): RpcError
}

const codecs: readonly RequestCodec[] = /* @__PURE__ */ forEachRevision(createRequestCodec)

/** Undefined for a revision we do not speak, or are told not to. */
export function requestCodecFor(
  revision: string,
  allowed: readonly string[] = supportedRevisions,
): RequestCodec | undefined {
  if (!allowed.includes(revision)) return undefined
  return codecs.find((codec) => codec.revision === revision)
}

/** The newest of the allowed revisions that begin with `initialize`. */
export function newestLegacyCodec(allowed: readonly string[]): RequestCodec | undefined {
  return newestOf(codecs, 'legacy', allowed)
}

/** The newest of the allowed revisions without `initialize`. */
export function newestModernCodec(allowed: readonly string[]): RequestCodec | undefined {
  return newestOf(codecs, 'modern', allowed)
}

function createRequestCodec(revision: Revision, has: WireFeatures): RequestCodec {
  return {
    revision,
    has,
    encodeParams: (method, params) => encodeRequest(method, params, has),
    decodeResult: has.initialize ? decodeResult : decodeModernResult,
    decodeError: has.initialize ? decodeWireError : decodeModernError,
  }
}

/** Params of a client's request as a revision writes them. */
function encodeRequest(method: string, params: object, has: WireFeatures): object {
  // The method says what they are.
  if (method === 'initialize') return encodeInitialize(params as InitializeRequestParams, has)
  return method === 'completion/complete'
    ? encodeComplete(params as CompleteRequestParams, has)
    : params
}

function encodeInitialize(params: InitializeRequestParams, has: WireFeatures): object {
  return {
    ...params,
    clientInfo: downgradeImplementation(params.clientInfo, has),
    capabilities: downgradeClientCapabilities(params.capabilities, has),
  }
}

function encodeComplete(params: CompleteRequestParams, has: WireFeatures): object {
  const sayable = has.completionContext ? params : omit(params, ['context'])
  return has.titles ? sayable : { ...sayable, ref: omit(sayable.ref, ['title']) }
}

/** A result as a session gives it. */
function decodeResult(method: string, result: object): object {
  return method === 'tools/call' ? liftAnnotations(result) : result
}
