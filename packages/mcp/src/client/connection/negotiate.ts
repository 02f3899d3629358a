/**
 * Finds out by which revision to speak with a server: sends `server/discover`, and `initialize` where the answer shows an older
 * server or none comes in time. Over HTTP and for a server that spoke a newer revision before, silence proves nothing and is waited
 * for; elsewhere `initialize` follows after `probeMs`.
 *
 * What an answer to the probe means is `classify-probe.ts`. `session.ts` calls it once for each transport.
 */

import type { Clock } from '../../rpc/clock.ts'
import type { Connection } from '../../rpc/connection.ts'
import { isMcpError, McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import { waitAtMost } from '../../rpc/signals.ts'
import type { Transport } from '../../rpc/transport.ts'
import { describeProblem } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json.ts'
import {
  type DiscoverResult,
  initializeResult,
  type InitializeResult,
} from '../../schema/lifecycle.ts'
import { implementation, type Implementation } from '../../schema/metadata.ts'
import {
  newestLegacyCodec,
  newestModernCodec,
  requestCodecFor,
  type RequestCodec,
} from '../../wire/request-codec.ts'
import { metaKeys } from '../../wire/request-meta.ts'
import { unusableResponse } from '../calls/result-kind.ts'
import { classifyFailure, classifyResult, type ProbeResult } from './classify-probe.ts'
import type { SessionIdentity } from './identity.ts'
import { acceptVersion, versionRejection } from './negotiation.ts'
import type { ServerDescription } from './session.ts'

/** The negotiated revision, and the server's description of itself. */
export interface Negotiation {
  readonly codec: RequestCodec
  readonly server: ServerDescription
  /** It got `initialize` because it was slow to answer the probe, and speaks a newer revision. */
  readonly isMistaken?: boolean
}

export interface NegotiateOptions {
  readonly identity: SessionIdentity
  readonly revisions: readonly string[]
  readonly prior: string | undefined
  readonly connectMs: number
  readonly probeMs: number
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly onCodec: (codec: RequestCodec) => void
  readonly onProbeFailed: () => void
}

/** Finds out by which revision to speak: discovers the server, or shakes hands with one that cannot be discovered. */
export async function negotiate(
  connection: Connection,
  transport: Transport,
  options: NegotiateOptions,
): Promise<Negotiation> {
  const { identity, revisions, clock, signal } = options
  const { peer } = transport
  const isHttp = transport.kind === 'http'
  const deadline = clock.now() + options.connectMs
  const newest = transport.kind === 'sse' ? undefined : newestModernCodec(revisions)
  const canShake = newestLegacyCodec(revisions) !== undefined
  let isMistaken = false

  function leftMs(): number {
    return Math.max(1, deadline - clock.now())
  }

  async function probe(
    codec: RequestCodec,
    acknowledgeMs: number,
    isSecond: boolean,
  ): Promise<ProbeResult | Silence> {
    const how = { codec, ours: revisions, isHttp, isSecond, peer }
    const params: JsonObject = { _meta: identity.envelope(codec.revision) }
    let result: JsonObject | undefined
    const limits = { idleMs: leftMs(), totalMs: Infinity, signal, isProbe: true }
    const request = connection.request('server/discover', params, limits)
    const responded = request.then((answer) => (result = answer))
    try {
      await (acknowledgeMs === Infinity
        ? responded
        : waitAtMost(acknowledgeMs, responded, { clock }))
    } catch (error) {
      signal.throwIfAborted()
      return classifyFailure(error, how)
    }
    if (result !== undefined) return classifyResult(result, how)
    request.then(
      ({ supportedVersions }) => (isMistaken = supportedVersions !== undefined),
      () => undefined,
    )
    return { kind: 'silence' }
  }

  /** The version that a server names is tried once. A server that rejects it too supports none. */
  async function discover(codec: RequestCodec, acknowledgeMs = Infinity): Promise<Discovered> {
    const probeResult = await probe(codec, acknowledgeMs, false)
    if (probeResult.kind !== 'other-version') return probeResult
    const second = await probe(probeResult.codec, Infinity, true)
    if (second.kind !== 'other-version') return second
    throw notNegotiated(revisions, peer)
  }

  async function initialize(allowed: readonly string[]): Promise<Negotiation> {
    const offer = newestLegacyCodec(allowed)
    if (offer === undefined) throw notNegotiated(allowed, peer)
    const { info: clientInfo, capabilities } = identity
    const initializeRequest = { protocolVersion: offer.revision, capabilities, clientInfo }
    const params = offer.encodeParams('initialize', initializeRequest) as JsonObject // JSON by construction
    try {
      const answer: unknown = await connection.request('initialize', params, {
        idleMs: leftMs(),
        totalMs: Infinity,
        signal,
      })
      const serverInfo = checkServerInfo(answer, peer)
      const codec = acceptVersion(serverInfo.protocolVersion, allowed, peer)
      options.onCodec(codec)
      connection.notify('notifications/initialized')
      await untilTaken()
      return { codec, server: describeServerInfo(serverInfo), isMistaken }
    } catch (error) {
      throw versionRejection(error, allowed, peer) ?? error
    }
  }

  /** Waits until `initialized` was taken: a server notifies only initialized clients, and over HTTP it is a request of its own. */
  async function untilTaken(): Promise<void> {
    const drained = connection.drained()
    signal.throwIfAborted()
    if (drained === undefined) return
    const aborted = new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true })
    })
    await waitAtMost(leftMs(), Promise.race([drained, aborted]), { clock })
    signal.throwIfAborted()
  }

  function applyResult(
    probeResult: Exclude<Discovered, { kind: 'unknown' } | Silence>,
  ): MaybePromise<Negotiation> {
    if (probeResult.kind === 'legacy') return initialize(probeResult.revisions)
    options.onCodec(probeResult.codec)
    return { codec: probeResult.codec, server: describeDiscovered(probeResult.serverInfo) }
  }

  if (newest === undefined) return initialize(revisions)
  const { prior } = options
  const wasOld = prior !== undefined && requestCodecFor(prior, revisions)?.has.initialize === true
  const wasNew = prior !== undefined && requestCodecFor(prior, revisions)?.has.initialize === false
  if (!wasOld) {
    const isPatient = isHttp || wasNew || !canShake
    const acknowledgeMs = isPatient ? Infinity : Math.min(options.probeMs, leftMs() / 2)
    const probeResult = await discover(newest, acknowledgeMs)
    if (probeResult.kind === 'unknown') {
      if (canShake && !isMcpError(probeResult.error, 'timeout')) options.onProbeFailed()
      throw probeResult.error
    }
    if (probeResult.kind !== 'silence') return applyResult(probeResult)
  }
  // From here on that it is an old server is a guess: it was one, or it does not answer what it does not know.
  try {
    return await initialize(revisions)
  } catch (error) {
    if (!isRejection(error)) throw error
    const probeResult = await discover(newest)
    if (probeResult.kind !== 'modern') throw error
    return applyResult(probeResult)
  }
}

/** Nothing came for as long as we were patient, though it may still come. */
interface Silence {
  readonly kind: 'silence'
}

type Discovered = Exclude<ProbeResult | Silence, { kind: 'other-version' }>

/** The server took `initialize` and did not want it. */
function isRejection(error: unknown): boolean {
  if (isMcpError(error, 'http_error')) return error.details.status < 500
  return isRpcError(error) || isMcpError(error, 'no_common_version')
}

function notNegotiated(revisions: readonly string[], peer: string | undefined): McpError {
  const message = `none of the revisions ${revisions.join(', ')} can be spoken`
  return new McpError('unsupported', message, { details: { capability: 'protocolVersion' }, peer })
}

function describeServerInfo({
  serverInfo: info,
  capabilities,
  instructions,
}: InitializeResult): ServerDescription {
  return { info, capabilities, ...(instructions !== undefined && { instructions }) }
}

/** The server's name is in `_meta`. It is optional. */
function describeDiscovered({
  capabilities,
  instructions,
  _meta,
}: DiscoverResult): ServerDescription {
  const info = _meta?.[metaKeys.server]
  return {
    ...(implementation(info) === undefined && { info: info as Implementation }), // just checked
    capabilities,
    ...(instructions !== undefined && { instructions }),
  }
}

function checkServerInfo(answer: unknown, peer: string | undefined): InitializeResult {
  const problem = initializeResult(answer)
  if (problem === undefined) return answer as InitializeResult // just checked
  throw unusableResponse('initialize', describeProblem(problem), peer)
}
