import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { isUndescribed, type Finding } from './finding.ts'
import { walkSchema, type SchemaLocation } from './walk-schema.ts'

/** Where the APIs of models are narrower than JSON Schema, each with where it is and what to write instead. */
export function lintSchema(schema: JsonValue | undefined, at: string): readonly Finding[] {
  if (!isJsonObject(schema)) return [missing(schema, at)]
  const found = [...lintRoot(schema, at)]
  let hasReference = false
  for (const located of walkSchema(schema, at)) {
    if (typeof located.schema === 'boolean') {
      found.push(aboutBoolean(located.schema, located.pointer))
      continue
    }
    found.push(...lintPlace(located.schema, located.pointer, located.pointer === at))
    const { $ref } = located.schema
    if (typeof $ref !== 'string') continue
    if (!$ref.startsWith('#')) found.push(external(located))
    else if (!hasReference) found.push(reference(located))
    hasReference = true
  }
  return found
}

function missing(schema: JsonValue | undefined, at: string): Finding {
  if (typeof schema === 'boolean') {
    return {
      level: 'error',
      message: 'Its input schema is a boolean, not an object.',
      detail: String(schema),
      hint: 'Use { "type": "object" } for a tool without arguments.',
      pointer: at,
    }
  }
  return {
    level: 'error',
    message: 'It has no input schema.',
    hint: 'Use { "type": "object" } for a tool without arguments.',
    pointer: at,
  }
}

function* lintRoot(schema: JsonObject, at: string): Generator<Finding> {
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    if (!(keyword in schema)) continue
    yield {
      level: 'error',
      message: `Its input schema has ${keyword} at the root, which several model APIs refuse.`,
      hint: 'Use one object with optional properties, and say in words which belong together.',
      pointer: `${at}/${keyword}`,
    }
  }
  if (schema['type'] !== 'object') {
    yield {
      level: 'error',
      message: 'Its input schema is not of type object.',
      hint: 'Write "type": "object" at the root.',
      pointer: `${at}/type`,
    }
  }
}

/** Of one place. What stands in a condition only adds to what is described elsewhere. */
function* lintPlace(schema: JsonObject, at: string, isRoot: boolean): Generator<Finding> {
  const { type, properties, required, items, prefixItems } = schema
  if (Array.isArray(type)) {
    yield {
      level: 'warning',
      message: 'A list of types is refused by some model APIs.',
      detail: type.join(', '),
      hint: 'Write one type, or anyOf with one type each. Instead of "null" leave the property out of required.',
      pointer: `${at}/type`,
    }
  }
  if ('if' in schema) {
    yield {
      level: 'warning',
      message: 'if, then and else are refused or ignored by most model APIs.',
      hint: 'Say the condition in the description, or offer a tool for each case.',
      pointer: `${at}/if`,
    }
  }
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'))
  if (isList && items === undefined && prefixItems === undefined) {
    yield {
      level: 'warning',
      message: 'A list does not say what is in it, which several model APIs refuse.',
      hint: 'Add items, such as "items": { "type": "string" }.',
      pointer: at,
    }
  }
  if (Array.isArray(schema['enum']) && schema['enum'].length === 0) {
    yield {
      level: 'error',
      message: 'An empty enum allows no value.',
      hint: 'List the values, or leave enum out.',
      pointer: `${at}/enum`,
    }
  }
  if (typeof schema['pattern'] === 'string' && !isPattern(schema['pattern'])) {
    yield {
      level: 'error',
      message: 'A pattern is not a valid regular expression.',
      detail: schema['pattern'].slice(0, 80),
      hint: 'Use the syntax of JavaScript regular expressions with the flag u.',
      pointer: `${at}/pattern`,
    }
  }
  const isCondition = /\/(?:if|then|else|not)(?:\/|$)/.test(at)
  if (isJsonObject(properties) && !isCondition)
    yield* lintProperties(properties, `${at}/properties`)
  const isWhole = isRoot || (isJsonObject(properties) && !isCondition)
  if (Array.isArray(required) && isWhole)
    yield* lintRequired(required, properties, `${at}/required`)
}

function* lintProperties(properties: JsonObject, at: string): Generator<Finding> {
  const entries = Object.entries(properties)
  const bare = entries.filter(
    ([, value]) => isJsonObject(value) && isUndescribed(value) && !('$ref' in value),
  )
  if (bare.length > 0) {
    yield {
      level: 'info',
      message: 'Arguments have no description.',
      detail: namesOf(bare.map(([name]) => name)),
      hint: 'A model needs them to fill in arguments: say what each is for.',
      pointer: at,
    }
  }
  const odd = entries.map(([name]) => name).filter((name) => !/^[\w.-]{1,64}$/.test(name))
  if (odd.length > 0) {
    yield {
      level: 'warning',
      message: 'Model APIs refuse the names of some arguments.',
      detail: namesOf(odd.map((name) => JSON.stringify(name))),
      hint: 'Use at most 64 letters, digits, _, . and -.',
      pointer: at,
    }
  }
}

function* lintRequired(
  required: readonly JsonValue[],
  properties: JsonValue | undefined,
  at: string,
): Generator<Finding> {
  const named = isJsonObject(properties) ? properties : {}
  const unknown = required.filter((name) => typeof name === 'string' && !Object.hasOwn(named, name))
  if (unknown.length === 0) return
  yield {
    level: 'warning',
    message: 'An argument is required that is not described.',
    detail: namesOf(unknown.map(String)),
    hint: 'Add it to properties, or take it out of required.',
    pointer: at,
  }
}

function aboutBoolean(schema: boolean, pointer: string): Finding {
  return schema
    ? {
        level: 'warning',
        message: 'true as a schema allows anything, and several model APIs refuse it.',
        hint: 'Say what it allows, such as { "type": "string" }.',
        pointer,
      }
    : {
        level: 'warning',
        message: 'false as a schema allows no value, and several model APIs refuse it.',
        hint: 'Leave the property out.',
        pointer,
      }
}

function external({ pointer }: SchemaLocation): Finding {
  return {
    level: 'error',
    message: 'Its input schema refers to another document, which hosts do not fetch.',
    hint: 'Copy what it refers to into $defs.',
    pointer: `${pointer}/$ref`,
  }
}

function reference({ pointer }: SchemaLocation): Finding {
  return {
    level: 'info',
    message: 'Its input schema uses $ref, which some hosts do not follow.',
    hint: 'Write the parts out where they are used, if hosts lose arguments.',
    pointer: `${pointer}/$ref`,
  }
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ')
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown
}
