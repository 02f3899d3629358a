/**
 * Puts together what all servers offer, under the names that clients use (`naming.ts`) and in the order of the configuration. A
 * tool whose transform cannot be applied is left out, because it might show what was to be hidden.
 */

import type { JsonObject, Tool } from '@parley/mcp'
import { errorMessage } from '@parley/mcp/json'
import { transformTools, type ToolTransform, type TransformedCall } from '@parley/tools'

import type { Subject } from '../checks/check.ts'
import {
  listNames,
  listRules,
  type ListName,
  type UpstreamLists,
} from '../upstreams/upstream-lists.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { exposedName, type NamingStrategy } from './naming.ts'

/** Something that a server offers, as clients see it. */
export interface Offered {
  readonly upstream: Upstream
  readonly subject: Subject
  /** The definition that clients get. */
  readonly listed: JsonObject
  /** A call of clients as the server expects it. Absent where it stays as it is. */
  readonly toCall?: ((given: JsonObject) => TransformedCall) | undefined
}

/** All that is offered, by what clients call it. */
export interface Catalogue {
  readonly offered: { readonly [Name in ListName]: ReadonlyMap<string, Offered> }
  /** Names that nobody can use, and what else a person should look at. */
  readonly warnings: readonly string[]
}

/** The current lists of one server. */
export interface Contribution {
  readonly upstream: Upstream
  readonly lists: UpstreamLists
}

const kinds = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resourceTemplate',
} as const satisfies { readonly [Name in ListName]: Subject['kind'] }

/** Puts together what all servers offer, in the order of the configuration. */
export function createCatalogue(
  contributions: readonly Contribution[],
  strategy: NamingStrategy,
): Catalogue {
  const warnings: string[] = []
  const merged = listNames.map((name) => {
    const all = contributions.flatMap((each) => offeredBy(each, name, strategy, warnings))
    return [name, merge(name, all, strategy, warnings)] as const
  })
  for (const { upstream, lists } of contributions) {
    warnings.push(...lists.warnings.map((each) => `${upstream.name}: ${each}`))
    if (upstream.state.state !== 'ready') continue
    const problems = transformOf(upstream)?.check(lists.tools as unknown as readonly Tool[]) ?? [] // what a rule reads is there
    warnings.push(...problems.map(({ message }) => `${upstream.name}: ${message}`))
  }
  return { offered: Object.fromEntries(merged) as Catalogue['offered'], warnings } // a key for each name
}

/** Returns the features of one server, by the names that clients would use, even if other servers have the same. */
export function listedBy(
  upstream: Upstream,
  lists: UpstreamLists,
  list: ListName,
  strategy: NamingStrategy,
): readonly Offered[] {
  return offeredBy({ upstream, lists }, list, strategy, [])
}

function offeredBy(
  { upstream, lists }: Contribution,
  list: ListName,
  strategy: NamingStrategy,
  warnings: string[],
): readonly Offered[] {
  const { key } = listRules[list]
  const kind = kinds[list]
  const transform = list === 'tools' ? transformOf(upstream) : undefined
  return lists[list].flatMap((definition): Offered[] => {
    const name = definition[key]
    if (typeof name !== 'string') return [] // the lists have none
    const changed = transform ? changedBy(transform, definition, upstream, warnings) : definition
    if (changed === undefined) return []
    const isNamed = list === 'tools' || list === 'prompts'
    const newName = changed[key]
    const isRenamed = typeof newName === 'string' && newName !== name
    const own = isNamed ? exposedName(strategy, upstream.name, name) : name
    const exposed = isRenamed ? newName : own
    const subject: Subject = {
      kind,
      upstream: upstream.name,
      name,
      exposedName: exposed,
      definition,
    }
    const listed = exposed === newName ? changed : { ...changed, [key]: exposed }
    if (transform === undefined) return [{ upstream, subject, listed }]
    const original = isRenamed ? newName : name
    return [{ upstream, subject, listed, toCall: (args) => transform.toCall(original, args) }]
  })
}

/** A tool that its rule does not fit is left out: what was to be hidden must not show. */
function changedBy(
  transform: ToolTransform,
  definition: JsonObject,
  { name }: Upstream,
  warnings: string[],
): JsonObject | undefined {
  try {
    const tool = definition as unknown as Tool // with a name and a schema: the lists have no others
    return transform.toExposed(tool) as JsonObject | undefined // of the same JSON
  } catch (error) {
    warnings.push(`${name}: ${errorMessage(error)}; the tool is left out`)
    return undefined
  }
}

const transforms = new WeakMap<Upstream, ToolTransform>()

function transformOf(upstream: Upstream): ToolTransform | undefined {
  const { tools } = upstream.server
  if (tools === undefined) return undefined
  const transform = transforms.get(upstream) ?? transformTools(tools)
  transforms.set(upstream, transform)
  return transform
}

/** One for each name. Resources are found by their address: the first server has it. */
function merge(
  list: ListName,
  all: readonly Offered[],
  strategy: NamingStrategy,
  warnings: string[],
): ReadonlyMap<string, Offered> {
  const byName = new Map<string, Offered[]>()
  for (const each of all) {
    const same = byName.get(each.subject.exposedName)
    if (same) same.push(each)
    else byName.set(each.subject.exposedName, [each])
  }
  const firstWins = strategy === 'priority' || list === 'resources' || list === 'resourceTemplates'
  const merged = new Map<string, Offered>()
  for (const [name, same] of byName) {
    const [first] = same
    if (first === undefined) continue
    if (same.length === 1 || firstWins) merged.set(name, first)
    if (same.length === 1) continue
    const owners = same.map(({ subject }) => `${subject.upstream} (${subject.name})`).join(', ')
    const what = `${list}: ${JSON.stringify(name)} is offered by ${owners}`
    warnings.push(
      firstWins
        ? `${what}; that of ${first.subject.upstream} is used`
        : `${what}; none of them is listed: rename all but one under "tools"`,
    )
  }
  return merged
}
