import type { JsonObject, ServerCapabilities } from '@parley/mcp'
import { isJsonObject, errorMessage } from '@parley/mcp/json'
import type { ProxyWatch, WatchedList } from '@parley/mcp/proxy'

/** The lists of one server, as it defines them. */
export interface UpstreamLists {
  readonly tools: readonly JsonObject[]
  readonly prompts: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly resourceTemplates: readonly JsonObject[]
  /** The problems of the lists, for people. */
  readonly warnings: readonly string[]
}

/** The name of one of the lists. */
export type ListName = Exclude<keyof UpstreamLists, 'warnings'>

/** How each list is asked for, and what an entry of it is called by. */
export const listRules = {
  tools: { method: 'tools/list', key: 'name', capability: 'tools' },
  prompts: { method: 'prompts/list', key: 'name', capability: 'prompts' },
  resources: { method: 'resources/list', key: 'uri', capability: 'resources' },
  resourceTemplates: {
    method: 'resources/templates/list',
    key: 'uriTemplate',
    capability: 'resources',
  },
} as const satisfies {
  readonly [Name in ListName]: {
    readonly method: WatchedList
    readonly key: string
    readonly capability: keyof ServerCapabilities
  }
}

export const listNames = Object.keys(listRules) as readonly ListName[] // the keys of the table

export const noLists: UpstreamLists = {
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  warnings: [],
}

/** The lists of a server, as far as they could be read. */
export interface ReadLists {
  readonly lists: UpstreamLists
  /** One of them is that of the last time: it is to be read again. */
  readonly hasFailed: boolean
}

/**
 * Reads the lists that a server says it has. Only tools are required: another list that fails stays what it was, with a
 * warning. A list that fails is not an empty list.
 */
export async function readLists(
  watch: ProxyWatch,
  capabilities: ServerCapabilities,
  last: UpstreamLists,
): Promise<ReadLists> {
  let hasFailed = false
  const read = await Promise.all(
    listNames.map(async (name) => {
      const { method, capability } = listRules[name]
      if (capabilities[capability] === undefined) return { name, entries: [], warnings: [] }
      try {
        return { name, ...readEntries(name, await watch.list(method)) }
      } catch (error) {
        if (name === 'tools') throw error
        const why = errorMessage(error)
        hasFailed = true
        return { name, entries: last[name], warnings: [`${method} failed: ${why}`] }
      }
    }),
  )
  const lists = Object.fromEntries(read.map(({ name, entries }) => [name, entries]))
  const warnings = read.flatMap((each) => each.warnings)
  return { lists: { ...noLists, ...lists, warnings }, hasFailed }
}

/** The entries that can be used: what has no name, or the name of another, is left out and told of. */
export function readEntries(
  name: ListName,
  listed: readonly unknown[],
): { readonly entries: readonly JsonObject[]; readonly warnings: readonly string[] } {
  const { key } = listRules[name]
  const byName = new Map<string, JsonObject>()
  let unusable = 0
  const twice: string[] = []
  for (const entry of listed) {
    const named = isJsonObject(entry) && isUsable(name, entry) ? entry[key] : undefined
    if (typeof named !== 'string' || !isJsonObject(entry)) unusable += 1
    else if (byName.has(named)) twice.push(named)
    else byName.set(named, entry)
  }
  const warnings = [
    ...(unusable > 0 ? [`${name}: ${unusable} entries cannot be read and are left out`] : []),
    ...(twice.length > 0 ? [`${name}: listed twice, the first counts: ${shown(twice)}`] : []),
  ]
  return { entries: [...byName.values()], warnings }
}

/** Checks the members that a translation to older revisions needs; the client checks everything else. */
function isUsable(name: ListName, entry: JsonObject): boolean {
  switch (name) {
    case 'tools':
      return isJsonObject(entry['inputSchema']) && isObjectOrAbsent(entry['annotations'])
    case 'prompts': {
      const { arguments: declared } = entry
      return declared === undefined || (Array.isArray(declared) && declared.every(isJsonObject))
    }
    case 'resources':
    case 'resourceTemplates':
      return isObjectOrAbsent(entry['annotations'])
  }
}

function isObjectOrAbsent(value: unknown): boolean {
  return value === undefined || isJsonObject(value)
}

function shown(names: readonly string[]): string {
  return names
    .slice(0, 5)
    .map((name) => JSON.stringify(name.slice(0, 80)))
    .join(', ')
}
