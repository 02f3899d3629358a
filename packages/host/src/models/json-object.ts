import type { JsonObject } from '@parley/mcp'
import { parseJson } from '@parley/mcp/json'

/** The JSON object that a text says, or nothing: what models write is often something else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // not JSON, or nested too deeply: both are the writer's mistake
  }
}

/** Of what `JSON.parse` returned. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
