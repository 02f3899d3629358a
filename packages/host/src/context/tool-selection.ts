import type { CallToolResult, JsonObject } from '@parley/mcp'
import { toolSearchTools } from '@parley/tools/search-tools'

import type { ModelTool } from '../models/model.ts'
import type { RegisteredTool, ToolRegistry } from '../tools/tool-registry.ts'
import { estimateTool } from './estimate.ts'

/** How much of the context the definitions of tools may take. */
export interface ContextOptions {
  /**
   * `code`: the model writes programs, and of the tools themselves only the pinned ones are defined; see `codeMode` of the
   * host. `all`: every tool is defined. `pinned`: those that are pinned, and of the others those used most, as far as they fit
   * the share. `search`: those that are pinned. `auto`: all while they fit the share, else `search`. Where some are left
   * out, the model gets tools to find, describe and call them. @defaultValue 'auto', or 'code' for a host with `codeMode`
   */
  readonly mode?: 'all' | 'pinned' | 'search' | 'auto' | 'code' | undefined
  /** Always defined: a tool, or all tools of a server. */
  readonly pinned?: readonly { readonly server: string; readonly tool?: string }[] | undefined
  /** The share of the window for definitions. @defaultValue 0.1 */
  readonly share?: number | undefined
}

/** The tools that a model gets, and how it finds the others. */
export interface ToolSelection {
  tools(): readonly ModelTool[]
  /** Answers a call of one of the selection's own tools; undefined for any other tool. */
  answer(name: string, args: JsonObject): Promise<SelectionResult | undefined>
  /** Counts a use, so that what is used most is defined first. */
  noteUse(name: string): void
  /** Loads what `tools` needs; awaited before each request to the model. */
  ready?(): Promise<void>
}

/** An answer of the host, or a call of a tool that was found by searching. */
export type SelectionResult =
  | { readonly kind: 'text'; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: 'program'; readonly source: string }

/** The window of models for which it is not known. */
export const defaultWindow = 128_000

/** Selections for different models and modes. They share the search and what was used. */
export interface ToolSelections {
  /** For a model that holds so many tokens. */
  select(windowTokens: number | undefined, options: ContextOptions): ToolSelection
}

/** Chooses the tools for each request from those that are there then. */
export function createToolSelections(registry: ToolRegistry): ToolSelections {
  const uses = new Map<string, number>()
  const own = toolSearchTools(async () => {
    const { createToolIndex } = await import('@parley/tools') // most conversations search nothing
    const tools = () => registry.enabled().map(({ shown }) => shown) // the same objects as long as nothing changes
    return createToolIndex({ tools })
  })
  return {
    select: (windowTokens = defaultWindow, options) =>
      createToolSelection({ registry, uses, own, windowTokens, options }),
  }
}

interface SelectionContext {
  readonly registry: ToolRegistry
  /** How often each was used. */
  readonly uses: Map<string, number>
  /** Those that find, describe and call the others. */
  readonly own: ReturnType<typeof toolSearchTools>
  readonly windowTokens: number
  readonly options: ContextOptions
}

function createToolSelection({
  registry,
  uses,
  own,
  windowTokens,
  options,
}: SelectionContext): ToolSelection {
  const { mode = 'auto', pinned = [], share = 0.1 } = options
  const budget = windowTokens * share
  const hostTools = own.map(({ definition }): ModelTool => ({
    name: definition.name,
    description: definition.description,
    inputSchema: definition.inputSchema as JsonObject, // plain JSON, as every definition
  }))

  const isPinned = ({ connection, tool }: RegisteredTool) =>
    pinned.some(
      (candidate) =>
        candidate.server === connection.server.name && (candidate.tool ?? tool.name) === tool.name,
    )

  function choose(all: readonly RegisteredTool[]): readonly RegisteredTool[] {
    if (mode === 'all') return all
    if (mode === 'auto' && costOf(all) <= budget) return all
    const first = all.filter(isPinned)
    if (mode !== 'pinned') return first
    const rest = all
      .filter((candidate) => !first.includes(candidate))
      .toSorted((a, b) => (uses.get(b.name) ?? 0) - (uses.get(a.name) ?? 0))
    let left = budget - costOf(first)
    const fitting = rest.filter(({ shown }) => {
      const cost = estimateTool(shown)
      if (cost > left) return false
      left -= cost
      return true
    })
    return [...first, ...fitting]
  }

  return {
    tools() {
      const all = registry.enabled()
      const chosen = choose(all)
      const shown = chosen.map((item) => item.shown)
      return chosen.length === all.length ? shown : [...shown, ...hostTools]
    },
    async answer(name, args) {
      const tool = own.find(({ definition }) => definition.name === name)
      if (tool === undefined || registry.find(name) !== undefined) return undefined
      const call = async (called: string, input: JsonObject): Promise<SelectionResult> => ({
        kind: 'call',
        name: called,
        arguments: input,
      })
      const answer = await tool.handle(args, { call })
      return 'kind' in answer ? answer : textAnswer(answer)
    },
    noteUse(name) {
      uses.set(name, (uses.get(name) ?? 0) + 1)
    },
  }
}

function textAnswer({ content, isError = false }: CallToolResult): SelectionResult {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  return { kind: 'text', text, isError }
}

function costOf(tools: readonly RegisteredTool[]): number {
  return tools.reduce((sum, { shown }) => sum + estimateTool(shown), 0)
}
