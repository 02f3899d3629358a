import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

/** A schema inside of another, and where. */
export interface SchemaLocation {
  readonly schema: JsonObject | boolean
  readonly pointer: string
}

/** A schema can be as large as a message; what is beyond is not looked at. */
const maxPlaces = 2000

const single = ['items', 'contains', 'propertyNames', 'not', 'if', 'then', 'else']
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
/** Written as true or false by habit, and understood so everywhere. */
const mayBeBoolean = ['additionalProperties', 'unevaluatedProperties', 'additionalItems']

/** The schema and all within it, the outer ones first. Whatever is no schema is passed over. */
export function* walkSchema(root: JsonObject, at: string): Generator<SchemaLocation> {
  const waiting: SchemaLocation[] = [{ schema: root, pointer: at }]
  for (let count = 0; count < maxPlaces; count += 1) {
    const located = waiting[count]
    if (located === undefined) return
    yield located
    if (typeof located.schema === 'object') waiting.push(...within(located.schema, located.pointer))
  }
}

function within(schema: JsonObject, at: string): readonly SchemaLocation[] {
  const found: SchemaLocation[] = []
  const add = (value: JsonValue | undefined, pointer: string): void => {
    if (isJsonObject(value) || typeof value === 'boolean') found.push({ schema: value, pointer })
  }
  for (const keyword of maps) {
    const map = schema[keyword]
    if (!isJsonObject(map)) continue
    for (const [name, value] of Object.entries(map)) add(value, `${at}/${keyword}/${step(name)}`)
  }
  for (const keyword of single) add(schema[keyword], `${at}/${keyword}`)
  for (const keyword of mayBeBoolean) {
    if (isJsonObject(schema[keyword])) add(schema[keyword], `${at}/${keyword}`)
  }
  for (const keyword of lists) {
    const list = schema[keyword]
    if (!Array.isArray(list)) continue
    for (const [index, value] of list.entries()) add(value, `${at}/${keyword}/${index}`)
  }
  return found
}

/** A name as a step of a JSON pointer (RFC 6901). */
function step(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
