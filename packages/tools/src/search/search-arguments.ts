import type { JsonObject } from '@parley/mcp'

// A model wrote the arguments: they are read leniently, and what is wrong is said back to it.

interface Wrong {
  readonly problem: string
}

/** A text; undefined if it was left out. */
export function readText(args: JsonObject, name: string): string | Wrong | undefined {
  const value = args[name]
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : { problem: `"${name}" must be a text` }
}

/** A whole number, brought between its limits; `"5"` is understood too. */
export function readCount(
  args: JsonObject,
  name: string,
  least: number,
  most: number,
): number | Wrong | undefined {
  const value = args[name]
  if (value === undefined || value === null) return undefined
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof count !== 'number' || !Number.isInteger(count)) {
    return { problem: `"${name}" must be a whole number, ${least} or more` }
  }
  return Math.min(Math.max(count, least), most)
}
