import type { JsonObject, JsonValue } from '@parley/mcp'

import type { Warning } from '../protocol/index.ts'

/** Where the models' APIs are narrower than JSON Schema. */
export function aboutSchema(schema: JsonValue | undefined): readonly Omit<Warning, 'about'>[] {
  if (!isObject(schema)) {
    return [
      {
        level: 'error',
        message: 'It has no input schema.',
        hint: 'Use { "type": "object" } for a tool without arguments.',
      },
    ]
  }
  const found: Omit<Warning, 'about'>[] = []
  const combined = ['anyOf', 'oneOf', 'allOf'].filter((keyword) => keyword in schema)
  if (combined.length > 0) {
    found.push({
      level: 'error',
      message: `Its input schema has ${combined.join(' and ')} at the root, which several model APIs refuse.`,
      hint: 'Use one object with optional properties, and say in words which belong together.',
    })
  }
  if (schema['type'] !== 'object') {
    found.push({ level: 'error', message: 'Its input schema is not of type object.' })
  }
  const text = JSON.stringify(schema)
  if (/"\$ref":"(?!#)/.test(text)) {
    found.push({
      level: 'error',
      message: 'Its input schema refers to another document, which nobody fetches.',
    })
  } else if (text.includes('"$ref"')) {
    found.push({
      level: 'info',
      message: 'Its input schema uses $ref, which some hosts do not follow.',
      hint: 'Write the parts out where they are used, if hosts lose arguments.',
    })
  }
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : []
  const bare = properties.filter(([, property]) => isObject(property) && isUndescribed(property))
  if (bare.length > 0) {
    found.push({
      level: 'info',
      message: `Arguments without a description: ${bare
        .map(([name]) => name)
        .slice(0, 10)
        .join(', ')}.`,
    })
  }
  const odd = properties.map(([name]) => name).filter((name) => !/^[\w.-]{1,64}$/.test(name))
  if (odd.length > 0) {
    found.push({
      level: 'warning',
      message: `Model APIs refuse arguments named ${odd
        .slice(0, 5)
        .map((name) => JSON.stringify(name))
        .join(', ')}.`,
    })
  }
  return found
}

/** Whether nothing is said about an item. */
export function isUndescribed({ description }: JsonObject): boolean {
  return typeof description !== 'string' || description.trim() === ''
}

/** Whether a value is an object of JSON, and no list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
