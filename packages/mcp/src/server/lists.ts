import type { Codec } from '../wire/codec.ts'
import { cacheHints } from './cache-hint.ts'
import type { Definition, Entry } from './definition.ts'
import { indexOf, type Bound, type FeatureIndex, type ListOperation } from './feature-index.ts'
import { defaultPageBytes, type Position } from './pagination.ts'
import { prepareList, type PreparedList } from './prepared-list.ts'

/** What is listed: anything with a key of its own. */
export type Item = object

interface ListKind {
  readonly member: string
  readonly kind: Entry['kind']
  bound(index: FeatureIndex): Iterable<Bound<Entry>>
  keyOf(item: Item): string
}

/** What each list shows, by operation. */
export const lists: Record<ListOperation, ListKind> = {
  'tools/list': {
    member: 'tools',
    kind: 'tool',
    bound: ({ tools }) => tools.values(),
    keyOf: (item) => member(item, 'name'),
  },
  'prompts/list': {
    member: 'prompts',
    kind: 'prompt',
    bound: ({ prompts }) => prompts.values(),
    keyOf: (item) => member(item, 'name'),
  },
  'resources/list': {
    member: 'resources',
    kind: 'resource',
    bound: ({ resources }) => resources.values(),
    keyOf: (item) => member(item, 'uri'),
  },
  'resources/templates/list': {
    member: 'resourceTemplates',
    kind: 'resource',
    bound: ({ templates }) => templates.values(),
    keyOf: (item) => member(item, 'uriTemplate'),
  },
}

/** The prepared text of a list that is the same for everyone. */
export function preparedList(
  definition: Definition,
  operation: ListOperation,
  codec: Codec,
): PreparedList {
  const index = indexOf(definition)
  const key = `${codec.revision} ${operation}`
  const known = index.prepared.get(key)
  if (known !== undefined) return known
  const { member: name, bound, keyOf } = lists[operation]
  const all = [...bound(index)]
  const { info, settings } = definition
  const page = { [name]: all.map(listed), ...cacheHints(settings.cache) }
  const { [name]: kept, ...rest } = codec.encodeResult(operation, page, info) as Record<
    string,
    unknown
  >
  const place = createPlacing()
  // The codec keeps the member, and its items in order.
  const items = ((kept ?? []) as readonly Item[]).map((item, at) => ({
    ...place(all[at]?.order ?? 0, keyOf(item)),
    json: JSON.stringify(item),
  }))
  const { pageSize } = settings
  const list = prepareList(name, items, { pageSize, pageBytes: defaultPageBytes }, rest)
  index.prepared.set(key, list)
  return list
}

/** Numbers the items that come with the same slot. */
export function createPlacing(): (order: number, key: string) => Position {
  let last: Position | undefined
  return (order, key) => {
    last = { order, index: last?.order === order ? last.index + 1 : 0, key }
    return last
  }
}

function listed({ entry, name }: Bound<Entry>): Item {
  return entry.name === name ? entry.listed : { ...entry.listed, name }
}

/** Every listed item has its key as text. */
export function member(item: Item, key: string): string {
  return (item as Record<string, string>)[key] ?? '' // as text
}
