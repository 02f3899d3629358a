import { RpcError } from '../../rpc/errors/rpc-error.ts'
import {
  clientCapabilities,
  type ClientCapabilities,
  type ServerCapabilities,
} from '../../schema/capabilities.ts'
import { describeProblem, object, optional, string, type Check } from '../../schema/check.ts'
import type { JsonObject } from '../../schema/json.ts'
import { loggingLevel, type LoggingLevel } from '../../schema/logging.ts'
import { implementation, type Implementation } from '../../schema/metadata.ts'
import type { Codec } from '../../wire/codec.ts'
import { featuresOf } from '../../wire/features.ts'
import { modernCodecs } from '../../wire/modern-codec.ts'
import { metaKeys, namedVersion, type RequestMeta } from '../../wire/request-meta.ts'
import { capabilitiesOf } from '../capabilities.ts'
import type { Definition } from '../definition.ts'
import {
  Caller,
  type CallerChannel,
  type CallService,
  type ClientState,
  type RequestAuth,
} from './caller.ts'

/**
 * The caller of one modern request, as the request itself describes it. Throws `invalid_params` where it
 * does not, and `unsupported_version` for a revision that is not spoken this way. Give the codec where the version has
 * been looked at already.
 */
export function openModernCaller(
  service: CallService & { readonly definition: Definition },
  params: JsonObject,
  channel: CallerChannel,
  own: RequestAuth,
  codec = codecNamedBy(params, service.supported),
): Caller {
  const client = new ModernClient(
    codec,
    readRequestMeta(params),
    capabilitiesOf(service.definition),
  )
  return new Caller(service, client, channel, own)
}

/** Where none is named, the check of the whole envelope says what is missing. */
function codecNamedBy(params: JsonObject, supported: readonly string[]): Codec {
  const version = namedVersion(params)
  return requireModern(
    typeof version === 'string' ? version : readRequestMeta(params).version,
    supported,
  )
}

/** Throws `invalid_params` if `_meta` is missing or incomplete. */
export function readRequestMeta(params: JsonObject): RequestMeta {
  const meta = params['_meta']
  checkMeta ??= createMetaCheck()
  const problem = checkMeta(meta)
  if (problem !== undefined) {
    const path = ['_meta', ...problem.path]
    throw new RpcError(
      'invalid_params',
      `every request of 2026-07-28 names its revision and capabilities: ${describeProblem({ ...problem, path })}`,
    )
  }
  const checked = meta as unknown as CheckedMeta // just checked
  const client = checked[metaKeys.client]
  const logLevel = checked[metaKeys.logLevel]
  return {
    version: checked[metaKeys.version],
    capabilities: checked[metaKeys.capabilities],
    ...(client !== undefined && { client }),
    ...(logLevel !== undefined && { logLevel }),
  }
}

interface CheckedMeta {
  readonly [metaKeys.version]: string
  readonly [metaKeys.capabilities]: ClientCapabilities
  readonly [metaKeys.client]?: Implementation
  readonly [metaKeys.logLevel]?: LoggingLevel
}

let checkMeta: Check<CheckedMeta> | undefined

function createMetaCheck(): Check<CheckedMeta> {
  return object<CheckedMeta>({
    [metaKeys.version]: string,
    [metaKeys.capabilities]: clientCapabilities,
    [metaKeys.client]: optional(implementation),
    [metaKeys.logLevel]: optional(loggingLevel),
  })
}

/** The answer to `initialize` where only modern revisions are served. */
export function noInitialize(
  requested: unknown,
  supported: readonly string[],
): RpcError<'unsupported_version'> {
  const why = `this server does not support initialize: send requests in ${supported.join(' or ')}`
  const requestedVersion = typeof requested === 'string' ? requested : ''
  return new RpcError('unsupported_version', why, {
    data: { supported, requested: requestedVersion },
  })
}

/** The codec of a modern revision; throws `unsupported_version` for any other. */
export function requireModern(version: string, supported: readonly string[]): Codec {
  const isSupported = supported.includes(version) && featuresOf(version) !== undefined
  const codec = isSupported ? modernCodecs.find(({ revision }) => revision === version) : undefined
  if (codec !== undefined) return codec
  const why = isSupported
    ? `revision ${version} begins with initialize`
    : `unsupported protocol version ${version.slice(0, 40)}; this server supports ${supported.join(', ')}`
  throw new RpcError('unsupported_version', why, {
    data: { supported: supported, requested: version },
  })
}

/** The client as a modern request describes itself. */
class ModernClient implements ClientState {
  readonly codec: Codec
  readonly client: ClientState['client']
  readonly declared: ServerCapabilities
  readonly isReady = true
  logLevel: LoggingLevel | undefined
  private subscribed: Set<string> | undefined

  constructor(
    codec: Codec,
    { client, capabilities, logLevel }: RequestMeta,
    declared: ServerCapabilities,
  ) {
    this.codec = codec
    this.client = client === undefined ? { capabilities } : { info: client, capabilities }
    this.declared = declared
    this.logLevel = logLevel
  }

  get subscriptions(): Set<string> {
    this.subscribed ??= new Set()
    return this.subscribed
  }
}
