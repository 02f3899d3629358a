import type { JsonObject } from '../../schema/json.ts'
import type { PageParams } from '../../schema/pagination.ts'
import type { ListToolsResult, Tool } from '../../schema/tools.ts'
import { isVisible } from '../access.ts'
import type { Call } from '../calls/call.ts'
import type { CallContext, RequestContext } from '../context.ts'
import type { Definition, Entry } from '../definition.ts'
import type { ListOperation } from '../feature-index.ts'
import { enterDefinition } from '../middleware.ts'
import { exposedName } from '../mount.ts'
import { templateMembers } from '../resources/resources.ts'
import { definitionOf } from '../server.ts'
import { cacheHints, createPositioning, lists, member, type Item } from './lists.ts'
import {
  cutPages,
  defaultPageBytes,
  isBefore,
  readCursor,
  startBehind,
  writeCursor,
  type Position,
} from './pagination.ts'

/** One page of a list that depends on the caller. */
export function listForCaller(
  definition: Definition,
  operation: ListOperation,
  params: PageParams,
  context: CallContext,
): Promise<object> {
  return listPage(definition, operation, params, context, innerList(context.call))
}

/**
 * The tools that a server lists to the caller of a context, all pages of it, through the server's own middleware. For
 * middleware that answers with tools of the list, such as a search.
 */
export async function visibleTools(
  server: { readonly '~definition': object },
  context: RequestContext,
): Promise<readonly Tool[]> {
  const { call } = context as CallContext // contexts are made here alone
  const listed = await innerList(call)(definitionOf(server), 'tools/list')
  return (listed as ListToolsResult).tools // a result of this operation
}

/** A mounted definition lists everything, through its own `app` and middleware; the outer one cuts pages. */
function innerList(call: Call): (inner: Definition, operation: ListOperation) => Promise<object> {
  return async (inner, operation) =>
    enterDefinition(inner, operation, {}, call, (here, listed, _, context) =>
      listAll(here, listed, context, innerList(call)),
    )
}

/** How a mounted definition is asked for its own list, through its own `app` and middleware. */
type ListInner = (definition: Definition, operation: ListOperation) => Promise<object>

/** One page made for this caller; items are fetched no further than the page needs. */
async function listPage(
  definition: Definition,
  operation: ListOperation,
  { cursor }: PageParams,
  context: CallContext,
  listInner: ListInner,
): Promise<object> {
  const { member: name, key } = lists[operation]
  const { pageSize, cache } = definition.settings
  const position = cursor === undefined ? undefined : readCursor(cursor)
  const location = createPositioning()
  const items: PositionedItem[] = []
  let last = position === undefined ? pageSize : Infinity
  let hasKey = false
  for await (const { item, order } of visibleItems(definition, operation, context, listInner)) {
    const positioned = { ...location(order, member(item, key)), item }
    items.push(positioned)
    // A key can appear twice; the second can be where the page before ended.
    hasKey ||= positioned.key === position?.key
    if (position && hasKey && !isBefore(positioned, position))
      last = Math.min(last, items.length + pageSize)
    if (items.length > last) break
  }
  const start = position === undefined ? 0 : startBehind(position, items)
  return { ...pageOf(name, items.slice(start), pageSize), ...cacheHints(cache) }
}

interface PositionedItem extends Position {
  readonly item: Item
}

/** Everything, for a definition that shows it as part of its own list. */
async function listAll(
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

function pageOf(name: string, rest: readonly PositionedItem[], pageSize: number): object {
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
  const { list } = entry.config
  if (isTemplate && list) yield* templateMembers(await list(context as never), entry.name, context) // the app's type was settled at definition
}

function renamed(item: JsonObject, kind: Entry['kind'], prefix: string): Item {
  return kind === 'resource'
    ? item
    : { ...item, name: exposedName(kind, member(item, 'name'), prefix) }
}
