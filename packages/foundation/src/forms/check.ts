import { compileJsonSchema, type JsonValue, type SchemaIssue, type Validate } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { SchemaLocation, SchemaDocument } from './schema/schema-document.ts'

/** Asks the JSON Schema engine about parts of one document; remembers what it has compiled. */
export interface Checker {
  /** Undefined when it cannot be told: the engine refuses the schema, or enough has been compiled. */
  fits(location: SchemaLocation, value: JsonValue): boolean | undefined
  /** Returns what is wrong with a value by one part; nothing when it matches, or when that is unknown. */
  explain(location: SchemaLocation, value: JsonValue): readonly SchemaIssue[]
  /** Whether a name matches a pattern; undefined for a pattern the engine refuses. */
  matches(pattern: string, text: string): boolean | undefined
}

/** Compiling a part that refers elsewhere compiles the whole document: so many times and no more. */
const maximumDocumentCompiles = 64

/** Every schema is a peer's: patterns that are not matched in linear time are refused. */
export function createChecker(document: SchemaDocument): Checker {
  const compiled = new Map<unknown, Validate | undefined>()
  const patterns = new Map<string, Validate | undefined>()
  let documentCompiles = 0

  function compile(location: SchemaLocation): Validate | undefined {
    if (!hasReference(location.schema)) return tryCompile(withDialect(location.schema, document))
    if (location.resource !== document.root.resource) return undefined
    if (++documentCompiles > maximumDocumentCompiles) return undefined
    return tryCompile(withinDocument(location.schema, document))
  }

  function validator(location: SchemaLocation): Validate | undefined {
    if (!isJsonObject(location.schema)) return undefined
    if (!compiled.has(location.schema)) compiled.set(location.schema, compile(location))
    return compiled.get(location.schema)
  }

  return {
    fits(location, value) {
      if (typeof location.schema === 'boolean') return location.schema
      const validate = validator(location)
      return validate && validate(value) === undefined
    },
    explain: (location, value) => validator(location)?.(value) ?? [],
    matches(pattern, text) {
      if (!patterns.has(pattern)) patterns.set(pattern, tryCompile({ pattern }))
      const validate = patterns.get(pattern)
      return validate && validate(text) === undefined
    },
  }
}

function tryCompile(schema: { readonly [keyword: string]: unknown }): Validate | undefined {
  try {
    return compileJsonSchema(schema, { untrusted: true, maxSteps: 100_000 })
  } catch {
    // Whatever the engine cannot honour cannot be told; the form goes on without the answer.
    return undefined
  }
}

function withDialect(schema: unknown, { root }: SchemaDocument) {
  const dialect = isJsonObject(root.schema) ? root.schema['$schema'] : undefined
  const own = isJsonObject(schema) ? schema : {}
  return dialect === undefined ? own : { $schema: dialect, ...own }
}

/** The part stands inside a copy of the document, so that its references lead where they always led. */
function withinDocument(schema: unknown, { root, ignoresRefSiblings }: SchemaDocument) {
  const whole = isJsonObject(root.schema) ? root.schema : {}
  const address = 'urn:form:document'
  const home = ignoresRefSiblings ? 'definitions' : '$defs'
  const definitions = isJsonObject(whole[home]) ? whole[home] : {}
  const document = { ...whole, $id: address, [home]: { ...definitions, 'form-part': schema } }
  return {
    ...(whole['$schema'] === undefined ? {} : { $schema: whole['$schema'] }),
    allOf: [{ $ref: `${address}#/${home}/form-part` }],
    [home]: { 'form-document': document },
  }
}

const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef']

function hasReference(schema: unknown): boolean {
  const waiting = [schema]
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen > 10_000) return true
    const value = waiting.pop()
    if (Array.isArray(value)) waiting.push(...value.slice(0, 10_000))
    else if (isJsonObject(value)) {
      if (referenceKeywords.some((keyword) => keyword in value)) return true
      waiting.push(...Object.values(value).slice(0, 10_000))
    }
  }
  return false
}
