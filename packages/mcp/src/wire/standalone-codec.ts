import { merge } from '../rpc/merge.ts'
import type { WireError } from '../rpc/message.ts'
import { isRpcError, wireCodes, type RpcError } from '../rpc/rpc-error.ts'
import type { DiscoverResult } from '../schema/discover.ts'
import type { Implementation } from '../schema/metadata.ts'
import type { Revision } from '../schema/revision.ts'
import type { ListToolsResult } from '../schema/tools.ts'
import type { Codec, WireFeatures } from './codec.ts'
import { downgradeElicitation } from './downgrade-elicitation.ts'
import { downgradeCapabilities, downgradeTool } from './downgrade-items.ts'
import { metaKeys } from './envelope.ts'
import { encodeWireError, type WireCodes } from './error-codes.ts'
import { omit } from './omit.ts'
import { decodeStandaloneError, decodeStandaloneResult } from './standalone-answers.ts'

/** 2026-07-28 names its own errors and gives up -32002. */
export const codes20260728: WireCodes = {
  ...wireCodes,
  resource_not_found: -32602,
  header_mismatch: -32020,
  missing_client_capability: -32021,
  unsupported_version: -32022,
}

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
      return standing(method, complete, server)
    },
    encodeParams(method, params) {
      if (method === 'elicitation/create') {
        return omit(downgradeElicitation(params as never, has), ['_meta']) // the method says what they are
      }
      return method === 'sampling/createMessage' ? omit(params, ['_meta']) : params
    },
    decodeResult: decodeStandaloneResult,
    encodeError,
    decodeError: decodeStandaloneError,
  }
}

interface Standing {
  readonly resultType?: unknown
  readonly ttlMs?: number
  readonly cacheScope?: string
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

/** What a result says besides itself, unless it says otherwise. Not by spreads: see `merge`. */
function standing(method: string, result: Standing, server: Implementation | undefined): object {
  const isKept = cacheable.has(method) && result.resultType === undefined
  const said = isKept
    ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    : { resultType: 'complete' }
  return server === undefined
    ? Object.assign(said, result)
    : Object.assign(said, result, { _meta: signed(result._meta, server) })
}

/** With the name of who answers. */
function signed(own: object | undefined, server: Implementation): object {
  return own === undefined ? metaOf(server) : merge(own, { [metaKeys.server]: server })
}

const metas = new WeakMap<Implementation, object>()

/** The same for every result of a server. */
function metaOf(server: Implementation): object {
  let meta = metas.get(server)
  if (meta === undefined) metas.set(server, (meta = { [metaKeys.server]: server }))
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

/** Of the numbers the protocol keeps for itself only those it defines are sent, whatever an author or a peer made of them. */
function encodeError(error: RpcError): WireError {
  const encoded = encodeWireError(error, codes20260728)
  const isReserved = encoded.code >= -32768 && encoded.code <= -32000
  return isRpcError(error, 'other') && isReserved
    ? { ...encoded, code: codes20260728.internal_error }
    : encoded
}
