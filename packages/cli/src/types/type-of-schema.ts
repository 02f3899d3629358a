import { isJsonObject, type JsonObject } from '../json.ts'
import {
  braces,
  commentOf,
  grouped,
  intersection,
  keyOf,
  literal,
  maxDepth,
  union,
  unknownType,
  whole,
  type TypeText,
} from './type-text.ts'

/** A few references can stand for more than any disk holds. */
const maxSchemas = 2_000

/** The TypeScript type of what a JSON Schema accepts, as far as types can say it; `unknown` where they cannot. */
export function typeOfSchema(root: unknown): TypeText {
  const open = new Set<unknown>()
  let seen = 0

  function typeOf(schema: unknown, depth: number): TypeText {
    if (schema === false) return whole('never')
    seen += 1
    if (!isJsonObject(schema) || open.has(schema) || depth > maxDepth || seen > maxSchemas) {
      return unknownType
    }
    open.add(schema)
    const type = combined(schema, depth)
    open.delete(schema)
    return type
  }

  function combined(schema: JsonObject, depth: number): TypeText {
    const { $ref: reference, allOf, anyOf, oneOf } = schema
    const parts = [own(schema, depth)]
    if (typeof reference === 'string') parts.unshift(typeOf(find(root, reference), depth + 1))
    if (Array.isArray(allOf)) parts.push(...allOf.map((one) => typeOf(one, depth + 1)))
    for (const choices of [anyOf, oneOf]) {
      if (Array.isArray(choices)) parts.push(union(choices.map((one) => typeOf(one, depth + 1))))
    }
    return intersection(parts)
  }

  /** What the schema says by itself. Members and items without a type are meant as one, and nearly always written so. */
  function own(schema: JsonObject, depth: number): TypeText {
    const { enum: values, type } = schema
    if ('const' in schema) return literal(schema['const'])
    if (Array.isArray(values)) return union(values.map((value) => literal(value)))
    if (Array.isArray(type)) return union(type.map((one) => named(one, schema, depth)))
    if (type !== undefined) return named(type, schema, depth)
    if ('properties' in schema || 'additionalProperties' in schema) return object(schema, depth)
    return 'items' in schema || 'prefixItems' in schema ? array(schema, depth) : unknownType
  }

  function named(type: unknown, schema: JsonObject, depth: number): TypeText {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
      case 'number':
        return whole(type)
      case 'integer':
        return whole('number')
      case 'array':
        return array(schema, depth)
      case 'object':
        return object(schema, depth)
      default:
        return unknownType
    }
  }

  function array({ items, prefixItems }: JsonObject, depth: number): TypeText {
    const rest = `${grouped(typeOf(items, depth + 1))}[]`
    if (!Array.isArray(prefixItems)) return { text: `readonly ${rest}`, isWhole: false }
    const first = prefixItems.map((one) => `${grouped(typeOf(one, depth + 1))}?`)
    const all = items === false ? first : [...first, `...${rest}`]
    return { text: `readonly [${all.join(', ')}]`, isWhole: false }
  }

  function object(schema: JsonObject, depth: number): TypeText {
    const { properties, required, additionalProperties: others, patternProperties } = schema
    const known = Object.entries(isJsonObject(properties) ? properties : {})
    const needed = new Set(
      Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    )
    const members = known.map(([name, one]) => {
      const mark = needed.delete(name) ? '' : '?'
      const comment = isJsonObject(one) ? commentOf(one['description']) : ''
      return `${comment}readonly ${keyOf(name)}${mark}: ${typeOf(one, depth + 1).text}`
    })
    for (const name of needed) members.push(`readonly ${keyOf(name)}: unknown`)
    const isOpen = others === true || isJsonObject(others) || isJsonObject(patternProperties)
    if (members.length === 0 && others === false && !isOpen) return whole('Record<never, never>')
    if (members.length === 0 || isOpen) {
      // Beside members with a name only `unknown` fits all of them.
      const isAlone = members.length === 0 && !isJsonObject(patternProperties)
      const value = isAlone ? typeOf(others, depth + 1) : unknownType
      members.push(`readonly [name: string]: ${value.text}`)
    }
    return braces(members)
  }

  return typeOf(root, 0)
}

/** Inside the document alone; nothing is fetched. */
function find(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let found: unknown = root
  for (const part of decoded(reference.slice(1)).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, name)
    found = isThere ? Reflect.get(Object(found), name) : undefined
  }
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // then it is meant to the letter, or points nowhere
  }
}
