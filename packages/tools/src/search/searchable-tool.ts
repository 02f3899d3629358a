import type { JsonSchema, ToolAnnotations } from '@parley/mcp'

/** A tool that can be found: every `Tool` of a list is one. */
export interface SearchableTool {
  /** What it is called by; unique among the tools of one search. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Names, titles, descriptions and choices of its arguments are searched too. */
  readonly inputSchema?: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
  /** More words to be found by, such as the title of its server. Models do not see them. */
  readonly keywords?: string
}

/** A tool that fits a query. */
export interface FoundTool {
  readonly tool: SearchableTool
  /** Higher is better; to be compared within one answer only. */
  readonly score: number
}
