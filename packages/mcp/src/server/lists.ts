import type { JsonObject } from '../schema/json.ts'
import type { PageParams } from '../schema/pagination.ts'
import type { Codec } from '../wire/codec.ts'
import { cacheHints } from './cache-hint.ts'
import type { CallContext } from './context.ts'
import { exposedName, type Definition, type Entry } from './definition.ts'
import { indexOf, type Bound, type FeatureIndex, type ListOperation } from './feature-index.ts'
import {
  cutPages,
  defaultPageBytes,
  readCursor,
  startBehind,
  writeCursor,
  type Position,
} from './pagination.ts'
import { prepareList, type PreparedList } from './prepared-list.ts'
import { isVisible } from './visibility.ts'

/** What is listed: anything with a key of its own. */
type Item = object

interface ListKind {
  readonly member: string
  readonly kind: Entry['kind']
  bound(index: FeatureIndex): Iterable<Bound<Entry>>
  keyOf(item: Item): string
}

const lists: Record<ListOperation, ListKind> = {
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

export function isListOperation(operation: string): operation is ListOperation {
  return Object.hasOwn(lists, operation)
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

/** How a mounted definition is asked for its own list, through its own `app` and middleware. */
export type ListInner = (definition: Definition, operation: ListOperation) => Promise<object>

/** One page made for this caller; items are fetched no further than the page needs. */
export async function listPage(
  definition: Definition,
  operation: ListOperation,
  { cursor }: PageParams,
  context: CallContext,
  listInner: ListInner,
): Promise<object> {
  const { member: name, keyOf } = lists[operation]
  const { pageSize, cache } = definition.settings
  const position = cursor === undefined ? undefined : readCursor(cursor)
  const place = createPlacing()
  const items: PlacedItem[] = []
  let start = position === undefined ? 0 : Infinity
  for await (const { item, order } of visibleItems(definition, operation, context, listInner)) {
    const key = keyOf(item)
    items.push({ ...place(order, key), item })
    if (key === position?.key) start = items.length
    if (items.length > start + pageSize) break
  }
  if (position !== undefined && start === Infinity) start = startBehind(position, items)
  return { ...pageOf(name, items.slice(start), pageSize), ...cacheHints(cache) }
}

interface PlacedItem extends Position {
  readonly item: Item
}

/** Numbers the items that come with the same slot. */
function createPlacing(): (order: number, key: string) => Position {
  let last: Position | undefined
  return (order, key) => {
    last = { order, index: last?.order === order ? last.index + 1 : 0, key }
    return last
  }
}

/** Everything, for a definition that shows it as part of its own list. */
export async function listAll(
  definition: Definition,
  operation: ListOperation,
  context: CallContext,
  listInner: ListInner,
): Promise<object> {
  const items: Item[] = []
  for await (const { item } of visibleItems(definition, operation, context, listInner)) {
    items.push(item)
  }
  return { [lists[operation].member]: items }
}

function pageOf(name: string, rest: readonly PlacedItem[], pageSize: number): object {
  const sizes = rest.map(({ item }) => JSON.stringify(item).length)
  const [, length = rest.length] = cutPages(sizes, { pageSize, pageBytes: defaultPageBytes })
  const page = rest.slice(0, length)
  const last = page.at(-1)
  const hasMore = length < rest.length && last !== undefined
  return { [name]: page.map(({ item }) => item), ...(hasMore && { nextCursor: writeCursor(last) }) }
}

async function* visibleItems(
  definition: Definition,
  operation: ListOperation,
  context: CallContext,
  listInner: ListInner,
): AsyncGenerator<{ readonly item: Item; readonly order: number }> {
  const { kind, member: name } = lists[operation]
  for (const slot of definition.slots) {
    const { order } = slot
    if (slot.kind === 'mount') {
      const inner = (await listInner(slot.inner, operation)) as JsonObject // a result of this operation
      for (const item of (inner[name] ?? []) as readonly JsonObject[]) {
        yield { item: renamed(item, kind, slot.prefix), order }
      }
    } else if (slot.entry.kind === kind && (await isVisible(slot.entry, context))) {
      for await (const item of membersOf(slot.entry, operation, context)) yield { item, order }
    }
  }
}

async function* membersOf(
  entry: Entry,
  operation: ListOperation,
  context: CallContext,
): AsyncGenerator<Item> {
  if (entry.kind !== 'resource') return yield entry.listed
  const isTemplate = entry.template !== undefined
  if (isTemplate === (operation === 'resources/templates/list')) return yield entry.listed
  if (isTemplate && entry.config.list) yield* await entry.config.list(context as never) // the app's type was settled at definition
}

function listed({ entry, name }: Bound<Entry>): Item {
  return entry.name === name ? entry.listed : { ...entry.listed, name }
}

function renamed(item: JsonObject, kind: Entry['kind'], prefix: string): Item {
  return kind === 'resource'
    ? item
    : { ...item, name: exposedName(kind, member(item, 'name'), prefix) }
}

function member(item: Item, key: string): string {
  return (item as Record<string, string>)[key] ?? '' // every listed item has its key as text
}
