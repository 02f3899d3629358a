import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

export type { JsonObject }

/** The objects in what should be a list of them. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A member of something that may be no object. */
export function member(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined
}

/** For people: short, and one line. */
export function excerpt(value: unknown, length = 300): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length <= length ? text : `${text.slice(0, length)}…`
}
