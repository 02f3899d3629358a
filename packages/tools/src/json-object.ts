import type { JsonObject } from '@parley/mcp'

/** Narrows to an object of JSON: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
