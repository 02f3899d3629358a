import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { consistsOf, type NamedType, type NamedTypes } from './named-types.ts'
import {
  grouped,
  intersection,
  maxDepth,
  union,
  unknownType,
  whole,
  type TypeText,
} from './type-text.ts'

/** A few references can stand for more than any disk holds. */
const maxSchemas = 2_000

/** How the type of one document is written. */
export interface TypeOfSchemaOptions {
  /** The name of the document, if something refers to it. @defaultValue 'Schema' */
  readonly name?: string | undefined
  /** Returns the comment before a member. @defaultValue its description */
  comment?(schema: JsonObject): string
  /** Called with each object type; what it returns is written instead. */
  onObject?(type: TypeText, wanted: string): TypeText
}

/** The TypeScript type of what a JSON Schema accepts, as far as types can say it; `unknown` where they cannot. */
export function typeOfSchema(
  root: unknown,
  types: NamedTypes,
  { name: wanted = 'Schema', comment, onObject }: TypeOfSchemaOptions = {},
): TypeText {
  const { writer } = types
  const { readonlyMark, keyOf } = writer
  const commentFor = comment ?? ((schema: JsonObject) => writer.commentOf(schema['description']))
  let seen = 0
  /** The member that is being written: objects are named after it. */
  let hint = wanted

  /** `within` is the named type that is being written, if nothing that may hold itself stands in between. */
  function typeOf(schema: unknown, depth: number, within?: NamedType): TypeText {
    if (schema === false) return whole('never')
    seen += 1
    if (!isJsonObject(schema) || depth > maxDepth || seen > maxSchemas) return unknownType
    const { $ref: reference, $dynamicRef: dynamic, allOf, anyOf, oneOf } = schema
    const parts = [own(schema, depth)]
    for (const item of [reference, dynamic]) {
      if (typeof item === 'string') parts.unshift(referred(item, within))
    }
    if (Array.isArray(allOf)) parts.push(...allOf.map((item) => typeOf(item, depth + 1, within)))
    for (const choices of [anyOf, oneOf]) {
      if (!Array.isArray(choices)) continue
      parts.push(union(choices.map((choice) => typeOf(choice, depth + 1, within))))
    }
    return intersection(parts)
  }

  /** A type cannot be itself, or a choice of itself and others: such a part says nothing. */
  function referred(reference: string, within: NamedType | undefined): TypeText {
    const type = types.find(root, reference)
    if (type === undefined || type.schema === undefined) return unknownType
    if (within !== undefined) {
      if (consistsOf(type, within)) return unknownType
      within.direct.add(type)
    }
    if (type.type === undefined && !type.isBegun) write(type)
    return types.call(type)
  }

  function write(type: NamedType): TypeText {
    type.isBegun = true
    type.type = typeOf(type.schema, 0, type)
    return type.type
  }

  /** Returns the type of the schema itself. Members and items without a type are read as an object or a list, as they are nearly always meant. */
  function own(schema: JsonObject, depth: number): TypeText {
    const { enum: values, type } = schema
    if ('const' in schema) return writer.literal(schema['const'])
    if (Array.isArray(values)) return writer.choices(values)
    if (Array.isArray(type)) return union(type.map((item) => named(item, schema, depth)))
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
    if (!Array.isArray(prefixItems))
      return { text: `${readonlyMark}${rest}`, isWhole: readonlyMark === '' }
    const first = prefixItems.map((item) => `${grouped(typeOf(item, depth + 1))}?`)
    const all = items === false ? first : [...first, `...${rest}`]
    return { text: `${readonlyMark}[${all.join(', ')}]`, isWhole: readonlyMark === '' }
  }

  function object(schema: JsonObject, depth: number): TypeText {
    const { properties, required, additionalProperties: others, patternProperties, title } = schema
    const ownHint = hint
    const entries = Object.entries(isJsonObject(properties) ? properties : {})
    const needed = new Set(
      Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    )
    const members = entries.map(([name, value]) => {
      const mark = needed.delete(name) ? '' : '?'
      const said = isJsonObject(value) ? commentFor(value) : ''
      hint = name
      return `${said}${readonlyMark}${keyOf(name)}${mark}: ${typeOf(value, depth + 1).text}`
    })
    hint = ownHint
    for (const name of needed) members.push(`${readonlyMark}${keyOf(name)}: unknown`)
    const isOpen = others === true || isJsonObject(others) || isJsonObject(patternProperties)
    if (members.length === 0 && others === false && !isOpen) return whole('Record<never, never>')
    if (members.length === 0 || isOpen) {
      // Beside members with a name only `unknown` fits all of them.
      const isAlone = members.length === 0 && !isJsonObject(patternProperties)
      const value = isAlone ? typeOf(others, depth + 1) : unknownType
      members.push(`${readonlyMark}[name: string]: ${value.text}`)
    }
    const written = writer.braces(members)
    return onObject?.(written, typeof title === 'string' ? title : ownHint) ?? written
  }

  const document = types.document(root, wanted)
  const type = document.type ?? write(document)
  return document.name === undefined ? type : types.call(document)
}
