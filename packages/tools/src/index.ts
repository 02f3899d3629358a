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
