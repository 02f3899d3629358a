import type { ClientCapabilities } from '../schema/capabilities.ts'
import { isJsonObject, type JsonObject } from '../schema/json.ts'
import type { LoggingLevel } from '../schema/logging.ts'
import type { Implementation } from '../schema/metadata.ts'

const prefix = 'io.modelcontextprotocol/'

/** Keys of `_meta` with which a modern request or answer says what `initialize` would have said. */
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

/** The metadata about the caller in every modern request. */
export interface RequestMeta {
  readonly version: string
  readonly capabilities: ClientCapabilities
  readonly client?: Implementation
  /** Least severe log message to send while it is worked on; none without it. */
  readonly logLevel?: LoggingLevel
}

/** The revision a request names for itself; undefined for a legacy request. */
export function namedVersion(params: JsonObject): unknown {
  const meta = params['_meta']
  return isJsonObject(meta) && Object.hasOwn(meta, metaKeys.version)
    ? meta[metaKeys.version]
    : undefined
}

/** True for a request that says by itself who sends it, or begins to. */
export function hasEnvelope(params: JsonObject): boolean {
  const meta = params['_meta']
  if (!isJsonObject(meta)) return false
  return Object.hasOwn(meta, metaKeys.version) || Object.hasOwn(meta, metaKeys.capabilities)
}

/** `_meta` of a request, with what the caller wants to add. */
export function writeEnvelope({
  version,
  capabilities,
  client,
  logLevel,
}: RequestMeta): JsonObject {
  return {
    [metaKeys.version]: version,
    [metaKeys.capabilities]: capabilities,
    ...(client && { [metaKeys.client]: client }),
    ...(logLevel && { [metaKeys.logLevel]: logLevel }),
  } as unknown as JsonObject // each of them is JSON
}
