import { isObject } from '../json/json.ts'
import type { JsonSchema, SchemaIssue } from '../standard-schema.ts'
import type { CompileOptions } from './compile.ts'
import { hasKeyword } from './dialect.ts'
import { isSchema, notSchema, refuseKeywords } from './keywords/keyword-faults.ts'
import { indexReferences, type Place, type References } from './references.ts'
import { SchemaError } from './schema-error.ts'
import { subschemas, type SchemaPath } from './subschemas.ts'

/**
 * Reads every schema of a document that can be reached, and throws {@link SchemaError} with all that is wrong with them.
 * What it lets pass can be compiled: so an author hears of a mistake without the engine being there.
 */
export function readDocument(
  document: JsonSchema | boolean,
  resolve?: CompileOptions['resolve'],
): References {
  const faults: SchemaIssue[] = []
  const seen = new Set<JsonSchema>()
  const open = new Set<JsonSchema>()
  if (!isSchema(document)) throw new SchemaError([{ message: notSchema, path: [] }])
  const references = indexReferences(document, { resolve, refuse })
  // References wait here, so that a long chain of them does not become a deep recursion.
  const waiting: unknown[] = [document]
  let isDynamic = false

  while (waiting.length > 0) {
    while (waiting.length > 0) read(waiting.pop())
    // Only now is every document known that may have an anchor by these names.
    if (isDynamic) waiting.push(...anchored().filter((schema) => !seen.has(schema)))
  }
  if (faults.length > 0) throw new SchemaError(faults)
  return references

  function refuse(message: string, path: SchemaPath): void {
    if (faults.length < 20) faults.push({ message, path })
  }

  function anchored(): readonly JsonSchema[] {
    return [...references.dynamicAnchors.values()].flatMap((schemas) => [...schemas.values()])
  }

  function read(schema: unknown): void {
    const place = isObject(schema) ? references.place(schema) : undefined
    if (!isObject(schema) || !place) return // a boolean, or refused where it stands
    if (open.has(schema)) return refuse('contains itself', place.path)
    if (seen.has(schema)) return
    const { resource, path } = place
    seen.add(schema)
    open.add(schema)
    refuseKeywords(schema, resource.dialect, (message, ...inner) =>
      refuse(message, [...path, ...inner]),
    )
    follow(schema, place)
    for (const [child, keyword] of subschemas(schema, resource.dialect)) {
      if (!unread.has(keyword)) read(child)
    }
    open.delete(schema)
  }

  function follow(schema: JsonSchema, place: Place): void {
    for (const [keyword, reference] of referencesIn(schema, place)) {
      const target =
        typeof reference === 'string' ? references.resolve(reference, place) : undefined
      if (target) waiting.push(target.schema)
      else refuse(dangling(reference), [...place.path, keyword])
      isDynamic ||= keyword !== '$ref'
    }
  }
}

/** What a value is never checked by: definitions are read when something refers to them. */
const unread: ReadonlySet<unknown> = new Set(['$defs', 'definitions', 'contentSchema'])

const referring: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

/** The references of one schema object that its dialect knows. */
function referencesIn(
  schema: JsonSchema,
  { resource: { dialect } }: Place,
): readonly (readonly [keyword: string, reference: unknown])[] {
  return Object.entries(schema).filter(
    ([keyword, reference]) =>
      referring.has(keyword) && reference !== undefined && hasKeyword(dialect, keyword),
  )
}

function dangling(reference: unknown): string {
  return `refers to ${JSON.stringify(reference)}, which is not in the schema (nothing is fetched; see resolve)`
}
