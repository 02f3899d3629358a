import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { isJsonArray, memberNames, member, withMember } from '../json.ts'
import type { Path } from '../path.ts'

/** A change at a path of a value. */
export type Change =
  | {
      /** Puts a value there, in place of what there was. */
      readonly kind: 'set'
      /** The new value. */
      readonly value: JsonValue
    }
  /** Takes a member or an item out. */
  | { readonly kind: 'remove' }
  /** Puts an item before the one at the path; the path may point just behind the last. */
  | {
      readonly kind: 'insert'
      /** The new item. */
      readonly value: JsonValue
    }
  /** Moves the item at the path so that it ends up at this index. */
  | {
      readonly kind: 'move'
      /** The index it ends up at. */
      readonly to: number
    }
  /** Gives a member another name at the same place; nothing happens when the name is taken. */
  | {
      readonly kind: 'rename'
      /** The new name. */
      readonly to: string
    }

/**
 * A value with one change made at one path; everything else is the same, by identity. Absent or null parents come into
 * being on `set` and `insert`. A change that cannot be made there leaves the value as it is.
 */
export function edit(
  value: JsonValue | undefined,
  path: Path,
  change: Change,
): JsonValue | undefined {
  const [first, ...rest] = path
  if (first === undefined) return editWhole(value, change)
  if (value === undefined || value === null) {
    if (change.kind !== 'set' && change.kind !== 'insert') return value
    return edit(typeof first === 'number' ? [] : {}, path, change)
  }
  return rest.length === 0 ? editPart(value, first, change) : editWithin(value, first, rest, change)
}

function editWhole(value: JsonValue | undefined, change: Change): JsonValue | undefined {
  if (change.kind === 'set') return change.value
  return change.kind === 'remove' ? undefined : value
}

function editWithin(value: JsonValue, part: string | number, rest: Path, change: Change) {
  if (typeof part === 'number') {
    if (!isJsonArray(value) || part > value.length) return value
    const edited = edit(value[part], rest, change)
    return edited === value[part] || edited === undefined ? value : replaceItem(value, part, edited)
  }
  if (!isJsonObject(value)) return value
  const before = member(value, part)
  const edited = edit(before, rest, change)
  return edited === before || edited === undefined ? value : withMember(value, part, edited)
}

function editPart(value: JsonValue, part: string | number, change: Change): JsonValue {
  if (typeof part === 'number') return isJsonArray(value) ? editItem(value, part, change) : value
  if (!isJsonObject(value)) return value
  switch (change.kind) {
    case 'set':
      return withMember(value, part, change.value)
    case 'remove':
      return Object.hasOwn(value, part) ? keep(value, (key) => key !== part) : value
    case 'rename':
      return rename(value, part, change.to)
    case 'insert':
    case 'move':
      return value
  }
}

function editItem(items: readonly JsonValue[], index: number, change: Change): JsonValue {
  const isThere = index >= 0 && index < items.length
  switch (change.kind) {
    case 'set':
      return isThere || index === items.length ? replaceItem(items, index, change.value) : items
    case 'remove':
      return isThere ? items.toSpliced(index, 1) : items
    case 'insert':
      return isThere || index === items.length ? items.toSpliced(index, 0, change.value) : items
    case 'move': {
      const item = items[index]
      if (item === undefined || change.to < 0 || change.to >= items.length) return items
      return items.toSpliced(index, 1).toSpliced(change.to, 0, item)
    }
    case 'rename':
      return items
  }
}

function replaceItem(items: readonly JsonValue[], index: number, item: JsonValue): JsonValue {
  return items.toSpliced(index, 1, item)
}

function keep(
  value: { readonly [key: string]: JsonValue | undefined },
  is: (key: string) => boolean,
) {
  // `fromEntries` defines members, so a name such as `__proto__` stays a member.
  return Object.fromEntries(Object.entries(value).filter(([key]) => is(key)))
}

function rename(
  value: { readonly [key: string]: JsonValue | undefined },
  from: string,
  to: string,
): JsonValue {
  if (memberNames(value).includes(to) || !Object.hasOwn(value, from)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key === from ? to : key, item]),
  )
}
