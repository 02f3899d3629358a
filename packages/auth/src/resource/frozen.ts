/** A copy of plain objects and arrays, all the way down, that nobody can change. Anything else is taken as it is. */
export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T // as many of the same
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).map(([key, member]) => [key, frozenCopy(member)])
  return Object.freeze(Object.fromEntries(entries)) as T // the same members
}

/** A set that nobody can change. */
export function frozenSet<T>(values: Iterable<T>): ReadonlySet<T> {
  const set = new Set(values)
  for (const name of ['add', 'delete', 'clear']) Object.defineProperty(set, name, { value: refuse })
  return Object.freeze(set)
}

function refuse(): never {
  throw new TypeError('what a token stands for cannot be changed: it is shared by all its requests')
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
