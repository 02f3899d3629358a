import { isObject, readOwn } from '../json/json.ts'
import type { JsonSchema } from '../standard-schema.ts'
import { hasKeyword, type Dialect } from './dialect.ts'

/** How a part of a schema document is reached. */
export type SchemaPath = readonly (string | number)[]

const single =
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties'
const listed = 'allOf anyOf items oneOf prefixItems'
const named = '$defs definitions dependencies dependentSchemas patternProperties properties'

const definitions = new Set(['$defs', 'definitions'])
const containers = new Set(`${single} ${listed} ${named}`.split(' '))
const listedKeywords = new Set(listed.split(' '))
const namedKeywords = new Set(named.split(' '))
const singleKeywords = new Set(single.split(' '))

/** The schemas directly inside a schema, each with its path: what merely looks like one, as in `enum`, is not among them. */
export function* subschemas(
  schema: JsonSchema,
  dialect: Dialect,
): Generator<[child: unknown, ...path: (string | number)[]]> {
  const isHidden = dialect.version <= 7 && typeof readOwn(schema, '$ref') === 'string'
  const known = isHidden ? definitions : containers
  for (const [keyword, value] of Object.entries(schema)) {
    if (!known.has(keyword) || !hasKeyword(dialect, keyword)) continue
    if (Array.isArray(value)) {
      if (!listedKeywords.has(keyword)) continue
      for (const [index, child] of value.entries()) yield [child, keyword, index]
    } else if (isObject(value)) {
      if (singleKeywords.has(keyword)) yield [value, keyword]
      if (!namedKeywords.has(keyword)) continue
      for (const [name, child] of Object.entries(value)) yield [child, keyword, name]
    }
  }
}
