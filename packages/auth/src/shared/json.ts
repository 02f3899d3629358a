import { parseJson } from '@parley/mcp/json'

/** A JSON object that nobody has looked into yet. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** Neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object, or `undefined` for text that holds none, or one beyond the limits of messages. Total. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // not JSON, or too much of it, so no object either
  }
}

/** The strings of a list; anything else in it is passed over. */
export function stringsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined
}
