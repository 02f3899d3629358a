export { createRegistry } from './api/create-registry.ts'
export type {
  Registry,
  RegistryCaller,
  RegistryOptions,
  RegistryRates,
} from './api/create-registry.ts'
export type { RateLimit } from './api/rate-limit.ts'
export { createOutgoing, OutgoingError } from './network/outgoing.ts'
export type {
  Outgoing,
  OutgoingOptions,
  OutgoingResponse,
  OutgoingRequest,
} from './network/outgoing.ts'
export type { OwnershipOptions } from './ownership/options.ts'
export type {
  GithubOptions,
  LocalKey,
  OidcOptions,
  RegistryAuth,
  ResolveText,
} from './publishers/options.ts'
export type { ProofKey } from './publishers/signed-time.ts'
export type { CurationChange, CurationOutcome } from './curation/curate.ts'
export type { CurationRule, RuleKind } from './curation/rules.ts'
export { listSnapshot } from './sync/import-snapshot.ts'
export type { ImportOptions } from './sync/import-snapshot.ts'
export type { StaticExport } from './sync/export-static.ts'
export type { SyncOptions, SyncReport, SyncSource } from './sync/options.ts'
export { SyncError } from './sync/sync-registry.ts'
export { serveRegistry } from './serve.ts'
export type { ServedRegistry, ServeRegistryOptions } from './serve.ts'
