import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

/** A name a JSON type goes by in a schema. `integer` is one of its own there. */
export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

/** Narrows JSON to an array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** An own member: what `Object.prototype` holds is not in a value, whatever it is called. */
export function member(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** The names of all members that are there; `undefined` counts as absent, as it does in JSON. */
export function memberNames(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined)
}

/** Whether a value is of a type; a whole number is both `number` and `integer`. */
export function isOfType(value: JsonValue, type: TypeName): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
  }
}

/** Equal as JSON: members in any order, `1.0` and `1` the same. Nesting is followed without the call stack. */
export function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  const pairs: [JsonValue | undefined, JsonValue | undefined][] = [[left, right]]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [first, second] = pair
    if (first === second) continue
    if (isJsonArray(first) && isJsonArray(second)) {
      if (first.length !== second.length) return false
      for (const [index, item] of first.entries()) pairs.push([item, second[index]])
    } else if (isJsonObject(first) && isJsonObject(second)) {
      const names = memberNames(first)
      if (names.length !== memberNames(second).length) return false
      for (const name of names) pairs.push([first[name], member(second, name)])
    } else return false
  }
  return true
}

/** An object with a member set. Safe for every name: `__proto__` becomes a member like any other. */
export function withMember(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const copy = { ...object }
  Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true })
  return copy
}
