import type { WireError } from '../rpc/message.ts'
import { isRpcError, RpcError } from '../rpc/rpc-error.ts'
import type { DiscoverResult } from '../schema/discover.ts'
import { isJsonObject } from '../schema/json.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Revision } from '../schema/revision.ts'
import type { ListToolsResult } from '../schema/tools.ts'
import type { Codec, WireFeatures } from './codec.ts'
import { downgradeElicitation } from './downgrade-elicitation.ts'
import { downgradeCapabilities, downgradeTool } from './downgrade-items.ts'
import { metaKeys } from './envelope.ts'
import { codes20260728, decodeWireError, encodeWireError } from './error-codes.ts'
import { liftAnnotations } from './lift-annotations.ts'
import { omit } from './omit.ts'

/** A revision without handshake: every request says who sends it, every result what kind it is. */
export function createStandaloneCodec(revision: Revision, has: WireFeatures): Codec {
  return {
    revision,
    has,
    clientRequests,
    serverRequests: new Set(),
    questions: new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']),
    encodeResult(method, result, server) {
      if (method === 'sampling/createMessage') return result // bare too, and with `_meta` of its own
      if (bareResults.has(method)) return omit(result, ['_meta'])
      const complete = encoders.get(method)?.(result as never, has) ?? result // the table pairs each method with its own type
      return withServer({ ...withHints(method, complete), ...complete }, server)
    },
    encodeParams(method, params) {
      if (method === 'elicitation/create') {
        return omit(downgradeElicitation(params as never, has), ['_meta']) // the method says what they are
      }
      return method === 'sampling/createMessage' ? omit(params, ['_meta']) : params
    },
    decodeResult(method, result) {
      // The kind was looked at by whoever sent the request, and who answers it is known.
      const { resultType: _, _meta, ...rest } = result as Standing // every result may have them
      const own = _meta && omit(_meta, [metaKeys.server])
      const isEmpty = own === undefined || (own !== _meta && Object.keys(own).length === 0)
      const decoded = isEmpty ? rest : { ...rest, _meta: own }
      return method === 'tools/call' ? liftAnnotations(decoded) : decoded
    },
    encodeError,
    decodeError(error, method, params) {
      const decoded = decodeWireError(error)
      return isMissingResource(decoded, method, params)
        ? new RpcError('resource_not_found', decoded.message, {
            wireCode: decoded.wireCode,
            data: decoded.data as { readonly uri: string }, // just looked at
          })
        : decoded
    },
  }
}

interface Standing {
  readonly resultType?: unknown
  readonly _meta?: object
}

/** Answers that travel inside a request; they say nothing but themselves. */
const bareResults: ReadonlySet<string> = new Set(['elicitation/create', 'roots/list'])

const clientRequests: ReadonlySet<string> = new Set([
  'server/discover',
  'completion/complete',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'subscriptions/listen',
  'tools/call',
  'tools/list',
])

/** Results a client may keep; without a hint for no time at all. */
const cacheable: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

function withHints(method: string, result: object): object {
  const resultType = 'resultType' in result ? result.resultType : 'complete'
  return cacheable.has(method) && resultType === 'complete'
    ? { resultType, ttlMs: 0, cacheScope: 'private' }
    : { resultType }
}

function withServer(result: object, server: Implementation | undefined): object {
  if (server === undefined) return result
  const { _meta } = result as { readonly _meta?: object } // every result may have it
  return { ...result, _meta: { ..._meta, [metaKeys.server]: server } }
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

/** Of the numbers the protocol keeps for itself only those it defines are sent, whatever an author or a peer made of them. */
function encodeError(error: RpcError): WireError {
  const encoded = encodeWireError(error, codes20260728)
  const isReserved = encoded.code >= -32768 && encoded.code <= -32000
  return isRpcError(error, 'other') && isReserved
    ? { ...encoded, code: codes20260728.internal_error }
    : encoded
}

/** The number is the one of bad params; only the URI tells them apart. */
function isMissingResource(error: RpcError, method: string, params: object | undefined): boolean {
  if (method !== 'resources/read' || !isRpcError(error, 'invalid_params')) return false
  const asked = params && 'uri' in params ? params.uri : undefined
  return isJsonObject(error.data) && asked !== undefined && error.data['uri'] === asked
}
