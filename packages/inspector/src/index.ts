export type {
  Catalogue,
  ConfiguredServer,
  Diagnose,
  Inspector,
  InspectorOptions,
  OpenCatalogue,
  ServerApproval,
} from './options.ts'
export type {
  CatalogueEntry,
  CatalogueItem,
  CataloguePlan,
  CatalogueQuestion,
} from '@parley/foundation/catalogue'
export type { Assertion, Collection, CollectionRun, SavedRequest } from './protocol/collections.ts'
export type { DiagnosisStep } from './protocol/servers.ts'
export { readCollection } from './service/runs/collection-file.ts'
export { runCollection } from './service/runs/run-collection.ts'
export type { SendSaved } from './service/runs/run-collection.ts'
export { startInspector } from './start-inspector.ts'
