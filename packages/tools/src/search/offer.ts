import type { Tool, JsonObject, JsonSchema, ToolAnnotations } from '@parley/mcp'

import type { ToolFilter } from './create-tool-search.ts'
import type { OfferOptions } from './tool-search.ts'

/** Whether a search is offered, and which tools stay beside it. */
export interface Offer {
  isOffered(tools: readonly Tool[]): boolean
  isPinned(tool: Tool): boolean
}

export function createOffer({ above = 0, pinned = [] }: OfferOptions): Offer {
  const names = new Set(pinned)
  return {
    isOffered: (tools) => tools.length > above,
    isPinned: ({ name }) => names.has(name),
  }
}

// A model wrote the arguments: they are read leniently, and what is wrong is said back to it.

interface Wrong {
  readonly problem: string
}

/** A text; undefined if it was left out. */
export function readText(args: JsonObject, name: string): string | Wrong | undefined {
  const value = args[name]
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : { problem: `"${name}" must be a text` }
}

/** A whole number, brought between its limits; `"5"` is understood too. */
export function readCount(
  args: JsonObject,
  name: string,
  least: number,
  most: number,
): number | Wrong | undefined {
  const value = args[name]
  if (value === undefined || value === null) return undefined
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof count !== 'number' || !Number.isInteger(count)) {
    return { problem: `"${name}" must be a whole number, ${least} or more` }
  }
  return Math.min(Math.max(count, least), most)
}

/** A tool that can be found: every `Tool` of a list is one. */
export interface SearchableTool {
  /** The name; unique among the tools of one search. */
  readonly name: string
  /** A name for people. */
  readonly title?: string
  /** The purpose, for the model. */
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

/** The tools of all callers, so that one index does for callers who see different ones. */
export interface SeenTools {
  all(): Iterable<Tool>
  /** Notes what a caller sees; from now on `all` has its definitions. Returns what tells its tools from others. */
  by(visible: readonly Tool[]): NonNullable<ToolFilter['where']>
}

/** Names beyond those of the present caller that are kept before others are forgotten. */
const maxOthers = 5_000

export function createSeenTools(): SeenTools {
  let tools = new Map<string, Tool>()
  return {
    all: () => tools.values(),
    by(visible) {
      if (tools.size > visible.length + maxOthers) tools = new Map()
      const names = new Set<string>()
      for (const tool of visible) {
        names.add(tool.name)
        tools.set(tool.name, tool)
      }
      return ({ name }) => names.has(name)
    },
  }
}
