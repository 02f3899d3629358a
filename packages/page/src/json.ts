/** Reading what a server sent: anything can be anywhere, so each look narrows. */

import type { JsonValue } from '@parley/mcp'

/** An object with names, or none. */
export function recordOf(value: unknown): { readonly [name: string]: unknown } {
  return isRecord(value) ? value : {}
}

/** The text, or none where it is something else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The items, or none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Whether it is an object that is neither a list nor null. */
export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What came over the channel as JSON is JSON; only its type has forgotten. */
export function jsonOf(value: unknown): JsonValue {
  return (value ?? null) as JsonValue
}
