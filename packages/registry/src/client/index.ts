export {
  officialRegistry,
  openCatalogue,
  type Catalogue,
  type CatalogueOptions,
  type CatalogueServer,
} from './catalogue.ts'
export type {
  CatalogueChoice,
  CatalogueEntry,
  CatalogueItem,
  CataloguePlan,
} from '@parley/foundation/catalogue'
export {
  clientFormats,
  createClientEntry,
  entryName,
  type ClientEntry,
  type InstallAnswers,
  type OpenQuestion,
} from './client-entry.ts'
export {
  installOffers,
  InstallRejection,
  type InstallCommand,
  type InstallEntry,
  type InstallMachine,
  type InstallOffers,
  type InstallPlan,
  type RejectedOffer,
} from '../install/install-plan.ts'
export { findReplyProblem } from '../install/entry-text.ts'
export type { InstallQuestion } from '../install/entry-values.ts'
export { findInstallProblems, type InstallProblem } from '../install/judge-entry.ts'
export {
  documentHash,
  findIndexProblem,
  keyIdOf,
  type IndexEntry,
  type SignedIndex,
} from './signed-index.ts'
export {
  compareSnapshots,
  createSnapshot,
  type SnapshotDifference,
  type SnapshotTool,
  type ToolSnapshot,
} from './tool-snapshot.ts'
export { verifyMirror, type MirrorVerification } from './verify-mirror.ts'
export { compareVersions, type ComparedVersion } from '../versions/compare-versions.ts'
export { readPublisherKey, type PublisherKey } from './publisher-key.ts'
export {
  createRegistryClient,
  RegistryError,
  type RegistryClient,
  type RegistryClientOptions,
  type RegistryToken,
} from './registry-client.ts'
export type {
  NamedInput,
  OfficialMetadata,
  ServerArgument,
  ServerDocument,
  ServerIcon,
  ServerInput,
  ServerPackage,
  ServerRepository,
  ServerResponse,
  ServerStatus,
  ServerTransport,
} from '../document/server-document.ts'
export type { ValidationIssue } from '../validation/issue.ts'
export { schemaUrl } from '../validation/server-schema.ts'
export { validateDocument, type Validation } from '../validation/validate-document.ts'
export type { PackageBases } from '../validation/package-rules.ts'
