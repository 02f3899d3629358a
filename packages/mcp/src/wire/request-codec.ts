import type { RpcError } from '../rpc/errors/rpc-error.ts'
import type { WireError } from '../rpc/message.ts'
import type { CompleteRequestParams } from '../schema/completion.ts'
import type { InitializeRequestParams } from '../schema/lifecycle.ts'
import type { Revision } from '../schema/revision.ts'
import type { WireFeatures } from './codec.ts'
import { downgradeClientCapabilities, downgradeImplementation } from './downgrade-initialize.ts'
import { decodeWireError } from './error-codes.ts'
import { forEachRevision, newestOf, spokenRevisions } from './features.ts'
import { liftAnnotations } from './lift-annotations.ts'
import { decodeModernError, decodeModernResult } from './modern-answers.ts'
import { omit } from './omit.ts'

/** What a client needs of a revision for its own requests; answering those of a server takes the whole codec. */
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
  allowed: readonly string[] = spokenRevisions,
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
  if (method === 'initialize') return encodeHello(params as InitializeRequestParams, has)
  return method === 'completion/complete'
    ? encodeComplete(params as CompleteRequestParams, has)
    : params
}

function encodeHello(params: InitializeRequestParams, has: WireFeatures): object {
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
