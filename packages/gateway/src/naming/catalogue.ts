import type { JsonObject } from '@parley/mcp'

import type { Subject } from '../checks/check.ts'
import {
  listNames,
  listRules,
  type ListName,
  type UpstreamLists,
} from '../upstreams/upstream-lists.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { appliedRule } from './apply-rule.ts'
import { exposedName, type NamingStrategy } from './naming.ts'

/** Something that a server offers, as clients see it. */
export interface Offered {
  readonly upstream: Upstream
  readonly subject: Subject
  /** The definition that clients get. */
  readonly listed: JsonObject
  /** Arguments of clients as the server expects them. Absent where they stay as they are. */
  readonly toServer?: ((given: JsonObject) => JsonObject) | undefined
}

/** All that is offered, by what clients call it. */
export interface Catalogue {
  readonly offered: { readonly [Name in ListName]: ReadonlyMap<string, Offered> }
  /** Names that nobody can use, and what else a person should look at. */
  readonly warnings: readonly string[]
}

/** What the lists of one server are just now. */
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
    const all = contributions.flatMap((each) => offeredBy(each, name, strategy))
    return [name, merge(name, all, strategy, warnings)] as const
  })
  for (const { upstream, lists } of contributions) {
    warnings.push(...lists.warnings.map((each) => `${upstream.name}: ${each}`))
    const known = new Set(lists.tools.map(({ name }) => name))
    for (const tool of Object.keys(upstream.server.tools ?? {})) {
      if (upstream.state.state === 'ready' && !known.has(tool)) {
        warnings.push(
          `${upstream.name}: there is a rule for the tool ${JSON.stringify(tool)}, which it does not have`,
        )
      }
    }
  }
  return { offered: Object.fromEntries(merged) as Catalogue['offered'], warnings } // a key for each name
}

function offeredBy(
  { upstream, lists }: Contribution,
  list: ListName,
  strategy: NamingStrategy,
): readonly Offered[] {
  const { key } = listRules[list]
  const kind = kinds[list]
  return lists[list].flatMap((definition): Offered[] => {
    const name = definition[key]
    if (typeof name !== 'string') return [] // the lists have none
    const { tools: rules = {} } = upstream.server
    const rule = list === 'tools' && Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule?.isHidden) return []
    const isNamed = list === 'tools' || list === 'prompts'
    const own = isNamed ? exposedName(strategy, upstream.name, name) : name
    const exposed = rule?.name ?? own
    const subject: Subject = {
      kind,
      upstream: upstream.name,
      name,
      exposedName: exposed,
      definition,
    }
    const { listed, toServer } = rule
      ? appliedRule(definition, rule)
      : { listed: definition, toServer: undefined }
    const shown = exposed === name ? listed : { ...listed, [key]: exposed }
    return [{ upstream, subject, listed: shown, toServer }]
  })
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
