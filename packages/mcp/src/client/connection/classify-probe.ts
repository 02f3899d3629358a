import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { describeProblem } from '../../schema/check.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { discoverResult, type DiscoverResult } from '../../schema/lifecycle.ts'
import { supportedRevisions } from '../../wire/features.ts'
import {
  newestLegacyCodec,
  newestModernCodec,
  requestCodecFor,
  type RequestCodec,
} from '../../wire/request-codec.ts'
import { unusableResponse } from '../calls/result-kind.ts'
import type { ConnectOptions } from '../options.ts'
import { noCommonVersion } from './negotiation.ts'

const method = 'server/discover'

/** The meaning of the response to a probe by `server/discover`. */
export type ProbeResult =
  /** It answered `server/discover`: it speaks the modern era. */
  | { readonly kind: 'modern'; readonly codec: RequestCodec; readonly serverInfo: DiscoverResult }
  /** It names a revision of that kind to try next; it may be the one it has just refused. */
  | { readonly kind: 'other-version'; readonly codec: RequestCodec }
  /** It needs `initialize`, in one of these revisions. */
  | { readonly kind: 'legacy'; readonly revisions: readonly string[] }
  /** Nothing proves anything, and this is why. */
  | { readonly kind: 'unknown'; readonly error: unknown }

/** How a probe went out. */
export interface Probe {
  readonly codec: RequestCodec
  /** Revisions we may speak. */
  readonly ours: readonly string[]
  readonly isHttp: boolean
  /** The server named this revision itself. */
  readonly isSecond: boolean
  readonly peer: string | undefined
}

/** Which revisions to try, newest first. `all` are those we speak. */
export function revisionsOf(
  era: ConnectOptions['protocolVersion'] = 'auto',
  all: readonly string[] = supportedRevisions,
): readonly string[] {
  if (era === 'auto') return all
  if (era === 'legacy') return all.filter((revision) => newestLegacyCodec([revision]) !== undefined)
  if (era === 'modern') return all.filter((revision) => newestLegacyCodec([revision]) === undefined)
  return [era]
}

/** A result proves the newer era only if it lists versions; old servers answer anything with something. */
export function classifyResult(result: JsonObject, probe: Probe): ProbeResult {
  const { peer, codec } = probe
  if (!Array.isArray(result['supportedVersions'])) return oldServer(probe, result)
  const problem = discoverResult(result)
  if (problem !== undefined) throw unusableResponse(method, describeProblem(problem), peer)
  const { resultType = 'complete' } = result
  if (resultType !== 'complete') {
    throw unusableResponse(method, `resultType ${JSON.stringify(resultType)}`, peer)
  }
  const serverInfo = result as unknown as DiscoverResult // just checked
  const choice = choose(serverInfo.supportedVersions, probe)
  if (choice.kind === 'other-version' && choice.codec === codec) {
    return { kind: 'modern', codec, serverInfo }
  }
  return choice
}

/** Classifies a failed probe. Over HTTP, silence and rejections for other reasons prove nothing. */
export function classifyFailure(error: unknown, probe: Probe): ProbeResult {
  if (isRpcError(error)) {
    const { supported } = isJsonObject(error.data) ? error.data : {}
    if (error.code === 'unsupported_version' && Array.isArray(supported)) {
      const choice = choose(supported.map(String), probe)
      if (choice.kind === 'other-version' && probe.isSecond) throw error // it refuses what it says it speaks
      return choice
    }
    if (isOfNewerEra(error)) throw error
    return oldServer(probe, error)
  }
  if (isMcpError(error, 'invalid_message')) return oldServer(probe, error)
  if (!probe.isHttp) return { kind: 'unknown', error }
  const isRejected = isMcpError(error, 'http_error') && rejections.has(error.details.status)
  if (isRejected || isMcpError(error, 'not_mcp')) return oldServer(probe, error)
  throw error
}

/** Statuses by which HTTP servers of the older era refuse what they do not know. */
const rejections: ReadonlySet<number> = new Set([400, 404, 405, 406, 409, 410, 415, 422])

/** Errors that no older server has, with the data they are defined with. */
function isOfNewerEra(error: unknown): boolean {
  if (isRpcError(error, 'header_mismatch')) return true
  return (
    isRpcError(error, 'missing_client_capability') &&
    isJsonObject(error.data) &&
    isJsonObject(error.data['requiredCapabilities'])
  )
}

/** The newest modern revision that both speak, else the legacy ones. */
function choose(theirs: readonly string[], { ours, peer }: Probe): ProbeResult {
  const mutual = ours.filter((revision) => theirs.includes(revision))
  const codec = newestModernCodec(mutual)
  if (codec !== undefined) return { kind: 'other-version', codec }
  if (newestLegacyCodec(mutual) === undefined) throw noCommonVersion(ours, theirs, peer)
  return { kind: 'legacy', revisions: mutual }
}

function oldServer({ ours, peer }: Probe, cause: unknown): ProbeResult {
  const revisions = ours.filter((revision) => requestCodecFor(revision, ours)?.has.initialize)
  if (revisions.length > 0) return { kind: 'legacy', revisions }
  throw new McpError(
    'no_common_version',
    `${peer ?? 'the server'} does not know server/discover: it begins with initialize, and we speak only ${ours.join(', ')}`,
    { details: { ours, theirs: [] }, peer, cause },
  )
}
