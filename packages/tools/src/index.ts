export { exposedToolName } from './naming/exposed-tool-name.ts'
export {
  createToolIndex,
  type SearchResult,
  type SearchQueryOptions,
  type ToolFilter,
  type ToolIndex,
  type ToolIndexOptions,
} from './search/create-tool-search.ts'
export {
  toolSearchTools,
  type SearchTool,
  type SearchToolNames,
  type SearchToolOptions,
} from './search/search-tools.ts'
export type { FoundTool, SearchableTool } from './search/offer.ts'
export { withToolSearch, type OfferOptions } from './search/tool-search.ts'
export { applyTransform, type ApplyOptions } from './transform/apply-transform.ts'
export {
  transformTools,
  type ToolTransform,
  type TransformedCall,
} from './transform/transform-tools.ts'
export {
  TransformError,
  type ArgumentRule,
  type ToolRule,
  type ToolRules,
} from './transform/tool-rules.ts'
