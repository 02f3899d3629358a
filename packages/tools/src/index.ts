export { exposedToolName } from './naming/exposed-tool-name.ts'
export { createToolSearch } from './search/create-tool-search.ts'
export { searchTools } from './search/search-tools.ts'
export type {
  SearchAnswer,
  SearchQueryOptions,
  ToolFilter,
  ToolSearch,
  ToolSearchOptions,
} from './search/create-tool-search.ts'
export type { SearchTool, SearchToolNames, SearchToolOptions } from './search/search-tools.ts'
export type { FoundTool, SearchableTool } from './search/searchable-tool.ts'
export { toolSearch } from './search/tool-search.ts'
export type { OfferOptions } from './search/tool-search.ts'
export { applyTransform } from './transform/apply-transform.ts'
export { transformTools } from './transform/transform-tools.ts'
export { TransformError } from './transform/transform-error.ts'
export type { ApplyOptions } from './transform/apply-transform.ts'
export type { ArgumentRule, ToolRule, ToolRules } from './transform/tool-rules.ts'
export type { ToolTransform, TransformedCall } from './transform/transform-tools.ts'
