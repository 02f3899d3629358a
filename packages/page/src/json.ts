/** Reading what a server sent: anything can be anywhere, so each look narrows. */

import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

/** An object with names, or none. */
export function recordOf(value: unknown): { readonly [name: string]: unknown } {
  return isJsonObject(value) ? value : {}
}

/** The text, or none where it is something else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The items, or none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** What came over the channel as JSON is JSON; only its type has forgotten. */
export function jsonOf(value: unknown): JsonValue {
  return (value ?? null) as JsonValue
}
