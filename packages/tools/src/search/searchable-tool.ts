import type { JsonSchema, ToolAnnotations } from '@parley/mcp'

/** A tool that can be found: every `Tool` of a list is one. */
export interface SearchableTool {
  /** What it is called by; unique among the tools of one search. */
  readonly name: string
  /** A name for people. */
  readonly title?: string
  /** What it does, for the model. */
  readonly description?: string
  /** Names, titles, descriptions and choices of its arguments are searched too. */
  readonly inputSchema?: JsonSchema
  /** JSON Schema of its structured answers. */
  readonly outputSchema?: JsonSchema
  /** Hints about what it does. */
  readonly annotations?: ToolAnnotations
  /** More words to be found by, such as the title of its server. Models do not see them. */
  readonly keywords?: string
}

/** A tool that fits a query. */
export interface FoundTool {
  /** The tool. */
  readonly tool: SearchableTool
  /** Higher is better; to be compared within one answer only. */
  readonly score: number
}
