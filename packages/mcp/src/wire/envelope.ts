import { RpcError } from '../rpc/rpc-error.ts'
import { clientCapabilities, type ClientCapabilities } from '../schema/capabilities.ts'
import * as s from '../schema/check.ts'
import { isJsonObject, type JsonObject } from '../schema/json.ts'
import { loggingLevel, type LoggingLevel } from '../schema/logging.ts'
import { implementation, type Implementation } from '../schema/metadata.ts'

const prefix = 'io.modelcontextprotocol/'

/** Keys of `_meta` with which a request or an answer that stands for itself says what a handshake would have said. */
export const metaKeys = {
  version: `${prefix}protocolVersion`,
  capabilities: `${prefix}clientCapabilities`,
  client: `${prefix}clientInfo`,
  logLevel: `${prefix}logLevel`,
  server: `${prefix}serverInfo`,
  subscription: `${prefix}subscriptionId`,
  /** 2025-11-25: the task a message belongs to. */
  task: `${prefix}related-task`,
} as const

/** What every request says about its caller where there is no handshake. */
export interface Envelope {
  readonly version: string
  readonly capabilities: ClientCapabilities
  readonly client?: Implementation
  /** Least severe log message to send while it is worked on; none without it. */
  readonly logLevel?: LoggingLevel
}

/** The revision a request names for itself; undefined for one that relies on a handshake. */
export function namedVersion(params: JsonObject): unknown {
  const meta = params['_meta']
  return isJsonObject(meta) && Object.hasOwn(meta, metaKeys.version)
    ? meta[metaKeys.version]
    : undefined
}

/** Throws `invalid_params` for an envelope that lacks something, or is none. */
export function readEnvelope(params: JsonObject): Envelope {
  const meta = params['_meta']
  const problem = envelope(meta)
  if (problem !== undefined) {
    const path = ['_meta', ...problem.path]
    throw new RpcError(
      'invalid_params',
      `every request of 2026-07-28 names its revision and capabilities: ${s.describeProblem({ ...problem, path })}`,
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

/** `_meta` of a request, with what the caller wants to add. */
export function writeEnvelope({ version, capabilities, client, logLevel }: Envelope): JsonObject {
  return {
    [metaKeys.version]: version,
    [metaKeys.capabilities]: capabilities,
    ...(client && { [metaKeys.client]: client }),
    ...(logLevel && { [metaKeys.logLevel]: logLevel }),
  } as unknown as JsonObject // each of them is JSON
}

interface CheckedMeta {
  readonly [metaKeys.version]: string
  readonly [metaKeys.capabilities]: ClientCapabilities
  readonly [metaKeys.client]?: Implementation
  readonly [metaKeys.logLevel]?: LoggingLevel
}

/** Built when first used: a bundle without a server then has none of it. */
const envelope = s.lazy(() =>
  s.object<CheckedMeta>({
    [metaKeys.version]: s.string,
    [metaKeys.capabilities]: clientCapabilities,
    [metaKeys.client]: s.optional(implementation),
    [metaKeys.logLevel]: s.optional(loggingLevel),
  }),
)
