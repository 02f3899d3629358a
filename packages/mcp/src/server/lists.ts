import type { JsonObject } from '../schema/json.ts'
import type { PageParams } from '../schema/pagination.ts'
import type { Codec } from '../wire/codec.ts'
import type { CallContext } from './context.ts'
import { exposedName, type Definition, type Entry } from './definition.ts'
import { indexOf, type Bound, type FeatureIndex, type ListOperation } from './feature-index.ts'
import { cutPages, defaultPageBytes, readCursor, writeCursor } from './pagination.ts'
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
  const items = [...bound(index)].map(listed)
  const encoded = codec.encodeResult(operation, { [name]: items }) as Record<
    string,
    readonly Item[]
  > // the codec keeps the member
  const list = prepareList(
    name,
    (encoded[name] ?? []).map((item) => ({ key: keyOf(item), json: JSON.stringify(item) })),
    { pageSize: definition.settings.pageSize, pageBytes: defaultPageBytes },
  )
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
  const { pageSize } = definition.settings
  const items: Item[] = []
  const places = new Map<string, number>()
  let start = cursor === undefined ? 0 : Infinity
  for await (const item of visibleItems(definition, operation, context, listInner)) {
    items.push(item)
    places.set(keyOf(item), items.length - 1)
    if (cursor !== undefined && start === Infinity)
      start = startIfKnown(cursor, items, keyOf, places)
    if (items.length > start + pageSize) break
  }
  if (cursor !== undefined && start === Infinity) {
    start = readCursor(
      cursor,
      () => undefined,
      () => -1,
    )
  }
  return pageOf(name, items, Math.min(start, items.length), pageSize, keyOf)
}

/** Everything, for a definition that shows it as part of its own list. */
export async function listAll(
  definition: Definition,
  operation: ListOperation,
  context: CallContext,
  listInner: ListInner,
): Promise<object> {
  const items: Item[] = []
  for await (const item of visibleItems(definition, operation, context, listInner)) items.push(item)
  return { [lists[operation].member]: items }
}

function startIfKnown(
  cursor: string,
  items: readonly Item[],
  keyOf: ListKind['keyOf'],
  places: ReadonlyMap<string, number>,
): number {
  const start = readCursor(
    cursor,
    (index) => (items[index] === undefined ? undefined : keyOf(items[index])),
    (key) => places.get(key) ?? Infinity,
  )
  return Number.isFinite(start) ? start : Infinity
}

function pageOf(
  name: string,
  items: readonly Item[],
  start: number,
  pageSize: number,
  keyOf: ListKind['keyOf'],
): object {
  const rest = items.slice(start)
  const sizes = rest.map((item) => JSON.stringify(item).length)
  const [, length = rest.length] = cutPages(sizes, { pageSize, pageBytes: defaultPageBytes })
  const page = rest.slice(0, length)
  const last = page.at(-1)
  const hasMore = length < rest.length && last !== undefined
  return {
    [name]: page,
    ...(hasMore && { nextCursor: writeCursor(start + length, keyOf(last)) }),
  }
}

async function* visibleItems(
  definition: Definition,
  operation: ListOperation,
  context: CallContext,
  listInner: ListInner,
): AsyncGenerator<Item> {
  const { kind, member: name } = lists[operation]
  for (const slot of definition.slots) {
    if (slot.kind === 'mount') {
      const inner = (await listInner(slot.inner, operation)) as JsonObject // a result of this operation
      for (const item of (inner[name] ?? []) as readonly JsonObject[]) {
        yield renamed(item, kind, slot.prefix)
      }
    } else if (slot.entry.kind === kind && (await isVisible(slot.entry, context))) {
      yield* membersOf(slot.entry, operation, context)
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
