export { editConfig, hasServer } from './files/edit-config.ts'
export type { ConfigEdit, EditOptions } from './files/edit-config.ts'
export type {
  ConfigEntry,
  ConfigProblem,
  ConfigScope,
  ConfigSource,
  EntrySettings,
  EntryTarget,
  InputDefinition,
  OauthSettings,
} from './entries/config-entry.ts'
export { memberOf, readDocument, syntaxOf } from './files/config-document.ts'
export type {
  ConfigDocument,
  ConfigMember,
  ConfigNode,
  ConfigSyntax,
  SyntaxProblem,
} from './files/config-document.ts'
export { clientFile } from './files/client-formats.ts'
export type { WrittenFormat } from './files/client-formats.ts'
export {
  configFormats,
  isConfigFormat,
  isWritableFormat,
  rulesOf,
  writableFormats,
} from './files/config-format.ts'
export type { ConfigFormat, WritableFormat } from './files/config-format.ts'
export { inputSettings, serverSettings } from './entries/server-settings.ts'
export { entryReads } from './entries/entry-reads.ts'
export type { EntryRead } from './entries/entry-reads.ts'
export { exportConfig, importConfig } from './export-config.ts'
export type { ExportedConfig, ExportOptions } from './export-config.ts'
export { createInputAnswers } from './variables/input-answers.ts'
export type { InputAnswers } from './variables/input-answers.ts'
export { inputVariable } from './variables/inputs.ts'
export { loadConfig } from './load-config.ts'
export type { LoadConfigOptions, LoadedConfig } from './load-config.ts'
export { configLocations } from './files/locations.ts'
export type { ConfigLocation, LocationOptions } from './files/locations.ts'
export { openProjectTrust, projectDisclosure } from './project-trust.ts'
export type { ProjectDisclosure, ProjectTrust } from './project-trust.ts'
export { readConfigText } from './files/read-config-text.ts'
export type { ConfigTextOptions } from './files/read-config-text.ts'
export { setInJson } from './files/set-in-json.ts'
export { resolveEntry } from './entries/resolve-entry.ts'
export type { Resolution, ResolveOptions } from './entries/resolve-entry.ts'
export { reviewEntry } from './entries/review-entry.ts'
export type { ReviewOptions } from './entries/review-entry.ts'
export { compareConfigs, watchConfig } from './files/watch-config.ts'
export type { ConfigChanges } from './files/watch-config.ts'
