import type { CommandEntry, ConnectOptions, UrlEntry } from '@parley/mcp/client'
import type { ToolRules } from '@parley/tools'

import type { BridgeMode } from '../bridge/bridge-options.ts'
import type { OutgoingAuth } from '../identity/outgoing-auth.ts'
import type { OpenApiEntry } from '../openapi/openapi-entry.ts'

/** The settings of a server for a gateway, besides how it is reached. */
export interface GatewayServerSettings {
  /** The clients that share a connection to it, and so a child process. @defaultValue 'per-session' */
  readonly mode?: BridgeMode | undefined
  /** Which revisions to speak with it. @defaultValue 'auto' */
  readonly protocolVersion?: ConnectOptions['protocolVersion']
  /** It is configured, and not started. @defaultValue false */
  readonly isDisabled?: boolean | undefined
  /** A server that has not answered by then is an error. @defaultValue 30_000 */
  readonly startTimeoutMs?: number | undefined
  /** Silence of the server in one call. @defaultValue 300_000 */
  readonly callTimeoutMs?: number | undefined
  /** Connections to it at once; also the most children. @defaultValue 100 */
  readonly maxConnections?: number | undefined
  /** A child whose processes hold more memory than this is ended. @defaultValue no limit */
  readonly memoryBytes?: number | undefined
  /** The longest message of the server. @defaultValue 64 MiB */
  readonly messageBytes?: number | undefined
  /** The identity that a remote server is called with. @defaultValue with its headers alone, the same for all callers */
  readonly auth?: OutgoingAuth | undefined
  /** How single tools are shown to clients, by the name that they have at the server. A new name is taken as it is. */
  readonly tools?: ToolRules | undefined
}

/** One server behind a gateway: a command to start, an address, or an HTTP API with its document. */
export type GatewayServer = (CommandEntry | UrlEntry | OpenApiEntry) & GatewayServerSettings
