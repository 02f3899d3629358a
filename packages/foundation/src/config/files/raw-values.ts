import { isJsonObject } from '@parley/mcp/json'

import type { Report } from '../entries/read-entry.ts'

/** Texts by name; numbers and booleans are taken for the text they are written as. */
export function stringMap(
  value: unknown,
  key: string,
  report: Report,
): { readonly [name: string]: string } {
  if (value === undefined || value === null) return {}
  if (!isJsonObject(value)) {
    report('error', key, 'must be an object', `Write "${key}": { "NAME": "value" }.`)
    return {}
  }
  const pairs = Object.entries(value).flatMap(([name, each]) => {
    const text = plainText(each)
    if (text !== undefined) return [[name, text] as const]
    report('error', `${key}.${name}`, 'must be a string', 'Put the value in quotes.')
    return []
  })
  return Object.fromEntries(pairs)
}

/** Texts in order, as above. */
export function stringList(value: unknown, key: string, report: Report): readonly string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    report('error', key, 'must be a list', `Write "${key}": ["…"].`)
    return []
  }
  return value.flatMap((each: unknown, index) => {
    const text = plainText(each)
    if (text !== undefined) return [text]
    report('error', `${key}.${index}`, 'must be a string', 'Put the value in quotes.')
    return []
  })
}

/** A text, if there is one. */
export function optionalText(value: unknown, key: string, report: Report): string | undefined {
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  report('error', key, 'must be a string', 'Put it in quotes.')
  return undefined
}

function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
