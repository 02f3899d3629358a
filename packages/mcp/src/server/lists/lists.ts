import type { Codec } from '../../wire/codec.ts'
import type { Definition, Entry } from '../definition.ts'
import { indexOf, type ExposedFeature, type ListOperation } from '../feature-index.ts'
import { defaultPageBytes, type Position, prepareList, type PreparedList } from './pagination.ts'

/** A listed item: an object with a key. */
export type Item = object

interface ListKind {
  readonly member: string
  readonly kind: Entry['kind']
  /** The member of the index that holds them. */
  readonly exposed: 'tools' | 'prompts' | 'resources' | 'templates'
  /** Which member of an item is its key. */
  readonly key: string
}

/** The kind of each list, by operation. */
export const lists: Record<ListOperation, ListKind> = {
  'tools/list': { member: 'tools', kind: 'tool', exposed: 'tools', key: 'name' },
  'prompts/list': { member: 'prompts', kind: 'prompt', exposed: 'prompts', key: 'name' },
  'resources/list': { member: 'resources', kind: 'resource', exposed: 'resources', key: 'uri' },
  'resources/templates/list': {
    member: 'resourceTemplates',
    kind: 'resource',
    exposed: 'templates',
    key: 'uriTemplate',
  },
}

/** The prepared text of a list that is the same for everyone. */
export function preparedList(
  definition: Definition,
  operation: ListOperation,
  codec: Codec,
): PreparedList {
  const index = indexOf(definition)
  const cacheKey = `${codec.revision} ${operation}`
  const prepared = index.prepared.get(cacheKey)
  if (prepared !== undefined) return prepared
  const { member: name, exposed, key } = lists[operation]
  const all = [...index[exposed].values()]
  const { info, settings } = definition
  const page = { [name]: all.map(listed), ...cacheHints(settings.cache) }
  const { [name]: stored, ...rest } = codec.encodeResult(operation, page, info) as Record<
    string,
    unknown
  >
  const position = createPositioning()
  // The codec keeps the member, and its items in order.
  const items = ((stored ?? []) as readonly Item[]).map((item, at) => ({
    ...position(all[at]?.order ?? 0, member(item, key)),
    json: JSON.stringify(item),
  }))
  const { pageSize } = settings
  const list = prepareList(name, items, { pageSize, pageBytes: defaultPageBytes }, rest)
  index.prepared.set(cacheKey, list)
  return list
}

/** Gives each item its position: items of one slot are numbered. */
export function createPositioning(): (order: number, key: string) => Position {
  let last: Position | undefined
  return (order, key) => {
    last = { order, index: last?.order === order ? last.index + 1 : 0, key }
    return last
  }
}

function listed({ entry, name }: ExposedFeature<Entry>): Item {
  return entry.name === name ? entry.listed : { ...entry.listed, name }
}

/** Every listed item has its key as text. */
export function member(item: Item, key: string): string {
  return (item as Record<string, string>)[key] ?? '' // as text
}

/** How long clients may cache a result. */
export interface CacheHint {
  /** Milliseconds; 0 means not at all. */
  readonly ttlMs: number
  /** Whether it may be cached for other users too. Not an access rule. @defaultValue 'private' */
  readonly scope?: 'public' | 'private' | undefined
}

/** The members of a result that carry the hint; none without a hint. */
export function cacheHints(hint: CacheHint | undefined): {
  readonly ttlMs?: number
  readonly cacheScope?: 'public' | 'private'
} {
  return hint ? { ttlMs: hint.ttlMs, cacheScope: hint.scope ?? 'private' } : {}
}

/** Returns what is wrong with a hint; undefined if it is valid. */
export function cacheHintProblem(hint: CacheHint | undefined): string | undefined {
  return hint === undefined || (Number.isSafeInteger(hint.ttlMs) && hint.ttlMs >= 0)
    ? undefined
    : 'cache.ttlMs must be a whole number of milliseconds, 0 or more'
}

/** Returns what is wrong with the settings of a list; undefined if they are valid. */
export function listProblem(hint: CacheHint | undefined, pageSize: number): string | undefined {
  return cacheHintProblem(hint) ?? (pageSize >= 1 ? undefined : 'pageSize must be at least 1')
}
