import type { TokenStore } from '@parley/auth/client'
import type { AuditLog } from '@parley/foundation/audit'
import type { ConfigProblem } from '@parley/foundation/config'
import type { JsonValue } from '@parley/mcp'
import type { HttpGuard } from '@parley/mcp/http'

import type { Check } from '../checks/check.ts'
import type { ConfiguredChecks } from '../checks/read-checks.ts'
import type { StatusShown } from '../gateway/status.ts'
import type { ProofClient } from '../identity/browser-proof.ts'
import type { ApiKeyFile } from '../keys/api-key-file.ts'
import type { NamingStrategy } from '../naming/naming.ts'
import type { SearchSettings } from '../search/search-settings.ts'
import type { GatewayServer } from '../upstreams/server-options.ts'
import type { ClusterSettings } from './cluster-settings.ts'
import type { ListenSettings } from './listen-settings.ts'
import type { PageSettings } from './page-settings.ts'
import type { Profile } from './profiles.ts'

/** What is sent to OpenTelemetry. */
export interface TelemetrySettings {
  /** Also arguments and results of tools, without what is named like a secret. @defaultValue false */
  readonly values?: boolean | undefined
  /** Figures for Prometheus at `/metrics`, in place of OpenTelemetry. @defaultValue false */
  readonly metrics?: boolean | undefined
}

/** The configuration file of a gateway, with variables filled in. */
export interface GatewayConfig {
  /** The file itself. */
  readonly file: string
  /** The file itself, and those that it imports. */
  readonly files: readonly string[]
  /** The servers by name. */
  readonly servers: { readonly [name: string]: GatewayServer }
  /** How clients call what the servers offer. */
  readonly naming: NamingStrategy
  /** Whether clients get a search instead of all tools; undefined for never. */
  readonly search: SearchSettings | undefined
  /** Where it listens. */
  readonly listen: ListenSettings
  /** Parts of it, by name; empty if there are none. */
  readonly profiles: { readonly [name: string]: Profile }
  /** The checks of the file, in the order in which requests pass them. */
  readonly checks: readonly Check[]
  /** The guard for callers; undefined for everybody, on loopback. */
  readonly auth: HttpGuard | undefined
  /** Where tokens of callers for servers are kept, sealed. Undefined where no server needs any. */
  readonly tokens: TokenStore | undefined
  /** The gateway's client at the issuer of its callers. */
  readonly signInClient: ProofClient | undefined
  /** How several processes are one gateway; see `openCluster`. */
  readonly cluster: ClusterSettings | undefined
  /** Dispose of it when the configuration is no longer used. Undefined where nothing is written down. */
  readonly audit: AuditLog | undefined
  /** The content of `gateway://status`. */
  readonly status: StatusShown
  /** The page; undefined where there is none. */
  readonly page: PageSettings | undefined
  /** The data sent to OpenTelemetry; undefined for nothing. */
  readonly telemetry: TelemetrySettings | undefined
  /** For whoever runs the gateway: what its page and its commands work on. */
  readonly operated: OperatedContext
}

/** The parts of a configuration that somebody looks after while a gateway runs. */
export interface OperatedContext extends Pick<
  ConfiguredChecks,
  'policy' | 'pinning' | 'audit' | 'auditLocation'
> {
  /** The file itself, as it was read; undefined if it cannot be read. */
  readonly text: string | undefined
  /** Its values as they are written, variables not filled in. */
  readonly document: JsonValue
  /** The sections of the file, to tell which of them a reload changes. */
  readonly sections: { readonly [name: string]: JsonValue | undefined }
  /** The sections of which a change counts with the next start only. */
  readonly startSections: readonly string[]
  /** With `auth: { keys: … }`. */
  readonly keys: ApiKeyFile | undefined
}

/** A configuration, and all that is wrong with it. One with errors is not to be used. */
export interface LoadedGatewayConfig {
  /** The configuration in the file. */
  readonly config: GatewayConfig
  /** Errors and warnings, with file and line. */
  readonly problems: readonly ConfigProblem[]
}
