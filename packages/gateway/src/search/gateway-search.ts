import type { JsonObject, Tool } from '@parley/mcp'
import type { BackendOutcome } from '@parley/mcp/internal/relay'
import { createToolIndex, toolSearchTools, type SearchTool } from '@parley/tools'

import type { Catalogue } from '../naming/catalogue.ts'
import { thresholdOf, type SearchSettings } from './search-settings.ts'

/** The tools to find, describe and call one, in place of all. */
export interface GatewaySearch {
  /** Returns the items to list for a caller who may see these. */
  listed(shown: readonly JsonObject[]): readonly JsonObject[]
  /** The search tool of that name, if this caller is offered one. */
  find(name: string, searched: Searched): FoundSearch | undefined
}

/** The searched features of one caller. */
export interface Searched {
  readonly catalogue: Catalogue
  /** It is that of all callers, and so is its index: it learns only what has changed. */
  readonly isShared: boolean
  /** The names of the tools that this caller may see. */
  shown(): ReadonlySet<string>
}

/** A call of one of the three. */
export interface FoundSearch {
  /** `call` passes on what `call_tool` names, as if it had been called by that name. */
  answer(
    args: JsonObject,
    call: (name: string, args: JsonObject) => Promise<BackendOutcome>,
  ): Promise<BackendOutcome>
}

/** Undefined where nothing is searched. */
export function createGatewaySearch(settings: SearchSettings): GatewaySearch | undefined {
  const threshold = thresholdOf(settings)
  if (threshold === undefined) return undefined
  const pinned = new Set(settings.pinned)
  let current: readonly JsonObject[] = []
  const forAll = threeOf(() => current)
  /** Indexes by catalogue: a caller's own catalogue has one while it lasts. */
  const indexes = new WeakMap<Catalogue, readonly SearchTool[]>()
  const lists = new WeakMap<Catalogue, readonly JsonObject[]>()
  const three = forAll.map(({ definition }) => definition)
  const names = new Set(three.map(({ name }) => name))

  function listOf(catalogue: Catalogue): readonly JsonObject[] {
    const list =
      lists.get(catalogue) ?? [...catalogue.offered.tools.values()].map(({ listed }) => listed)
    lists.set(catalogue, list)
    return list
  }

  /** Nothing may wait between this and the answer of the index. */
  function toolsOf({ catalogue, isShared }: Searched): readonly SearchTool[] {
    if (isShared) {
      current = listOf(catalogue)
      return forAll
    }
    const own = indexes.get(catalogue) ?? threeOf(() => listOf(catalogue))
    indexes.set(catalogue, own)
    return own
  }

  return {
    listed(shown) {
      if (shown.length <= threshold) return shown
      const own = three as unknown as readonly JsonObject[] // definitions are JSON
      return [...own, ...shown.filter(({ name }) => typeof name === 'string' && pinned.has(name))]
    },
    find(name, searched) {
      const { size } = searched.catalogue.offered.tools
      if (!names.has(name) || size <= threshold) return undefined
      const visible = searched.shown()
      if (visible.size <= threshold) return undefined
      return {
        async answer(args, call) {
          const tool = toolsOf(searched).find(({ definition }) => definition.name === name)
          if (tool === undefined) throw new TypeError(`${name} is one of the three`)
          return answer(tool, args, visible, call)
        },
      }
    },
  }
}

/**
 * What a caller may not see is neither found nor described. What they call by its name is passed on in any case: it is
 * refused there, by the same rule and with the same entry in the audit as a call without the search.
 */
async function answer(
  tool: SearchTool,
  args: JsonObject,
  visible: ReadonlySet<string>,
  call: (name: string, args: JsonObject) => Promise<BackendOutcome>,
): Promise<BackendOutcome> {
  const isCall = tool.definition.name === 'call_tool'
  const wanted = isCall ? args['name'] : undefined
  const where = ({ name }: { readonly name: string }) => visible.has(name) || name === wanted
  const outcome = await tool.handle<BackendOutcome>(args, { where, call })
  return 'kind' in outcome && typeof outcome.kind === 'string'
    ? outcome
    : { kind: 'result', result: outcome }
}

function threeOf(listed: () => readonly JsonObject[]): readonly SearchTool[] {
  const tools = () => listed() as unknown as readonly Tool[] // with a name and a schema: lists have no others
  return toolSearchTools(createToolIndex({ tools }))
}
