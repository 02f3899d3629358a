import type { AuditLog } from '@parley/foundation/audit'
import type { AuthInfo } from '@parley/mcp'

import type { Reader } from '../curation/visibility.ts'
import type { ChangeSignal } from '../extensions/change-signal.ts'
import type { CheckOwnership } from '../ownership/check-ownership.ts'
import type { CheckRemotes } from '../ownership/remote-cards.ts'
import type { Authority } from '../publishers/authority.ts'
import type { RegistryDatabase } from '../storage/tables.ts'
import type { PackageBases } from '../validation/package-rules.ts'
import type { QueryParameters } from './query-parameters.ts'

/** What operations work with. */
export interface RegistryContext {
  readonly database: RegistryDatabase
  readonly authority: Authority
  readonly checkOwnership: CheckOwnership | undefined
  readonly packageBases: PackageBases
  readonly bodyBytes: number
  readonly isReadOnly: boolean
  readonly githubClientId: string | undefined
  readonly changes: ChangeSignal
  /** Reads the cards of remotes. */
  readonly checkRemotes: CheckRemotes | undefined
  /** Whether a remote that its card does not confirm is refused. */
  readonly requiresCards: boolean
  /** Whether a new name that looks like one of another publisher is refused. */
  readonly rejectsLookAlikes: boolean
  /** The signed index, as JSON. */
  readonly readIndex: (() => Promise<string>) | undefined
  readonly audit: AuditLog | undefined
  /** Where others reach the registry. */
  readonly url: URL | undefined
  readonly now: () => number
}

/** One request to one operation. */
export interface OperationCall {
  readonly request: Request
  readonly query: QueryParameters
  /** Parts of the path, decoded. */
  readonly parameters: { readonly [name: string]: string }
  /** Who reads, where readers are known. */
  readonly auth: AuthInfo | undefined
  /** Whose private entries are shown. */
  readonly reader: Reader
  /** Whether anybody gets the same answer: then caches may keep it for everybody. */
  readonly isPublic: boolean
  /** Where the request came from, as far as it is known. */
  readonly address: string | undefined
  /** What the audit log says of the call, besides who made it and how it ended. */
  readonly audited: { [field: string]: string }
}

/** One method of one path below `/v0.1`. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Such as `servers/{serverName}/versions`. */
  readonly path: string
  readonly summary: string
  /** What the query may hold, as JSON Schema by name. @defaultValue nothing */
  readonly query?: { readonly [name: string]: object } | undefined
  /** Other names for these. */
  readonly aliases?: { readonly [alias: string]: string } | undefined
  /** Which limit counts. */
  readonly effort: 'read' | 'write' | 'sign-in'
  /** Whether a registry that only reads answers 501. */
  readonly isWriting: boolean
  /** Whether strangers may call it where readers must be known. */
  readonly isOpen?: boolean | undefined
  readonly run: (call: OperationCall, parts: RegistryContext) => Promise<Response>
}
