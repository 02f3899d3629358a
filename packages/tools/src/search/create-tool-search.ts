import type { FoundTool, SearchableTool } from './offer.ts'
import { createSearchIndex } from './tool-index.ts'

/** The tools to search, and the limits. */
export interface ToolIndexOptions {
  /** The tools of now. Asked before every answer; what has not changed is not indexed again. */
  readonly tools: () => Iterable<SearchableTool>
  /** Returns the result of `describe_tool`. @defaultValue its name, title, description, schemas and annotations */
  readonly describe?: ((tool: SearchableTool) => object) | undefined
  /** More are not searched; `leftOut` of an answer counts them. @defaultValue 100_000 */
  readonly maxTools?: number | undefined
}

/** Which tools of the search count for one answer. */
export interface ToolFilter {
  /** Only these, such as those that a caller may see. @defaultValue all */
  readonly where?: ((tool: SearchableTool) => boolean) | undefined
}

/** How many answers, from where on, of which tools. */
export interface SearchQueryOptions extends ToolFilter {
  /** @defaultValue 10 */
  readonly limit?: number | undefined
  /** Leaves out the first ones, for the next page. @defaultValue 0 */
  readonly offset?: number | undefined
}

/** The answer to a query. */
export interface SearchResult {
  /** The best first. */
  readonly found: readonly FoundTool[]
  /** How many fit in all. */
  readonly total: number
  /** Tools beyond `maxTools`, which were not searched. */
  readonly leftOut: number
}

/** Finds tools by what they are called and say about themselves. */
export interface ToolIndex {
  /** Tools in the index. */
  readonly size: number
  /** Tools that fit a query, the best first; all in the order of the list for an empty one or `*`. */
  search(query: string, options?: SearchQueryOptions): SearchResult
  /** Returns the result of `describe_tool`; undefined if there is no such tool. */
  describe(name: string, filter?: ToolFilter): object | undefined
  /** The tool of that name. */
  get(name: string, filter?: ToolFilter): SearchableTool | undefined
}

/** Makes a search over tools that may change at any time. */
export function createToolIndex(options: ToolIndexOptions): ToolIndex {
  const { tools, describe = describeWhole, maxTools = 100_000 } = options
  const index = createSearchIndex(maxTools)

  function get(name: string, { where }: ToolFilter = {}): SearchableTool | undefined {
    index.update(tools())
    const tool = index.get(name)
    return tool !== undefined && (where?.(tool) ?? true) ? tool : undefined
  }

  return {
    get size() {
      index.update(tools())
      return index.size
    },
    search(query, { limit = 10, offset = 0, where } = {}) {
      index.update(tools())
      const { leftOut } = index
      if (/^[\s*]*$/.test(query)) {
        const all = browse(index.all(), where)
        return { found: all.slice(offset, offset + limit), total: all.length, leftOut }
      }
      const { found, total } = index.search(query, { count: offset + limit, isWanted: where })
      return { found: found.slice(offset), total, leftOut }
    },
    get,
    describe(name, filter) {
      const tool = get(name, filter)
      return tool && describe(tool)
    },
  }
}

function browse(tools: Iterable<SearchableTool>, where: ToolFilter['where']): readonly FoundTool[] {
  return [...tools].filter((tool) => where?.(tool) ?? true).map((tool) => ({ tool, score: 0 }))
}

function describeWhole(tool: SearchableTool): object {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  return { name, title, description, inputSchema, outputSchema, annotations }
}
