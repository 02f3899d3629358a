import type { Tool } from '@parley/mcp'

import type { ToolFilter } from './create-tool-search.ts'

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
