export type {
  BrowseRegistryProps,
  BrowseSource,
  RegistryChoice,
  RegistryReview,
} from './browse-source.ts'
export { BrowseRegistry } from './browse-registry.tsx'
export { freeName } from './free-name.ts'
