import { isObject, readMember } from '../json.ts'
import type { JsonSchema } from '../standard-schema.ts'

/** The rules one schema resource is written in. */
export interface Dialect {
  /** Later drafts are larger numbers. */
  readonly version: 4 | 6 | 7 | 2019 | 2020
  /** False where a custom meta-schema leaves the validation vocabulary out. */
  readonly hasValidation: boolean
}

/** The dialect of a schema without `$schema`: 2020-12. */
export const defaultDialect: Dialect = { version: 2020, hasValidation: true }

const versions: ReadonlyMap<string, Dialect['version']> = new Map([
  ['draft-04/schema', 4],
  ['draft-06/schema', 6],
  ['draft-07/schema', 7],
  ['draft/2019-09/schema', 2019],
  ['draft/2020-12/schema', 2020],
  ['schema', 2020],
] as const)

/** The draft that `$schema` names, or undefined for one that is not supported. */
export function dialectOf(uri: string): Dialect | undefined {
  const match = /^https?:\/\/json-schema\.org\/(.*?)#?$/.exec(uri)
  const version = versions.get(match?.[1] ?? '')
  return version && { version, hasValidation: true }
}

/** The dialect a custom meta-schema describes by its own `$schema` and `$vocabulary`. */
export function dialectOfMetaSchema(metaSchema: JsonSchema): Dialect | undefined {
  const base = dialectOf(String(metaSchema['$schema']))
  const vocabularies = metaSchema['$vocabulary']
  if (!base || typeof vocabularies !== 'object' || vocabularies === null) return base
  const ours = `https://json-schema.org/draft/${base.version === 2019 ? '2019-09' : '2020-12'}/vocab/`
  const isKnown = Object.entries(vocabularies).every(
    ([uri, isRequired]) => isRequired !== true || uri.startsWith(ours),
  )
  if (!isKnown) return undefined
  return { ...base, hasValidation: Object.hasOwn(vocabularies, `${ours}validation`) }
}

/** Whether a keyword means anything in a dialect; one from a later draft is unknown there, and ignored. */
export function hasKeyword({ version, hasValidation }: Dialect, keyword: string): boolean {
  if (!hasValidation && validationKeywords.has(keyword)) return false
  if (keyword === '$recursiveRef' || keyword === '$recursiveAnchor') return version === 2019
  return version >= (since.get(keyword) ?? 4)
}

const since: ReadonlyMap<string, Dialect['version']> = new Map([
  ['const', 6],
  ['contains', 6],
  ['propertyNames', 6],
  ['if', 7],
  ['then', 7],
  ['else', 7],
  ['$anchor', 2019],
  ['dependentRequired', 2019],
  ['dependentSchemas', 2019],
  ['minContains', 2019],
  ['maxContains', 2019],
  ['unevaluatedItems', 2019],
  ['unevaluatedProperties', 2019],
  ['$dynamicRef', 2020],
  ['$dynamicAnchor', 2020],
  ['prefixItems', 2020],
] as const)

const validationKeywords: ReadonlySet<string> = new Set(
  (
    'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
    'maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired'
  ).split(' '),
)

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
  const isHidden = dialect.version <= 7 && typeof readMember(schema, '$ref') === 'string'
  const keywords = isHidden ? definitions : containers
  for (const [keyword, value] of Object.entries(schema)) {
    if (!keywords.has(keyword) || !hasKeyword(dialect, keyword)) continue
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
