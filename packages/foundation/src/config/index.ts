export { editConfig } from './edit-config.ts'
export type { ConfigEdit, EditOptions } from './edit-config.ts'
export type {
  ConfigEntry,
  ConfigProblem,
  ConfigScope,
  ConfigSource,
  EntrySettings,
  EntryTarget,
  InputDefinition,
  OauthSettings,
} from './config-entry.ts'
export { configFormats, isConfigFormat, isWritableFormat } from './config-format.ts'
export type { ConfigFormat, WritableFormat } from './config-format.ts'
export { entryReads } from './entry-reads.ts'
export type { EntryRead } from './entry-reads.ts'
export { parseEnvFile } from './env-file.ts'
export { exportConfig, importConfig } from './export-config.ts'
export type { ExportedConfig, ExportOptions } from './export-config.ts'
export { createInputAnswers } from './input-answers.ts'
export type { InputAnswers } from './input-answers.ts'
export { inputVariable } from './inputs.ts'
export { lineDiff } from './line-diff.ts'
export { loadConfig } from './load-config.ts'
export type { LoadConfigOptions, LoadedConfig } from './load-config.ts'
export { configLocations } from './locations.ts'
export type { ConfigLocation, LocationOptions } from './locations.ts'
export { openProjectTrust, projectDisclosure } from './project-trust.ts'
export type { ProjectDisclosure, ProjectTrust } from './project-trust.ts'
export { readConfigText } from './read-config-text.ts'
export type { ConfigTextOptions } from './read-config-text.ts'
export { resolveEntry } from './resolve-entry.ts'
export type { Resolution, ResolveOptions } from './resolve-entry.ts'
export { reviewEntry } from './review-entry.ts'
export type { ReviewOptions } from './review-entry.ts'
export { compareConfigs, watchConfig } from './watch-config.ts'
export type { ConfigChanges } from './watch-config.ts'
