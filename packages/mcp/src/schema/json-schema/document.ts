import type { JsonSchema, SchemaIssue } from '../standard-schema.ts'
import type { CompileOptions } from './compile.ts'
import { hasKeyword } from './dialect.ts'
import { isObject, readOwn } from './json-value.ts'
import { compileKeywords } from './keywords.ts'
import { createPatternCompiler } from './pattern.ts'
import type { Unit } from './reference-keywords.ts'
import {
  dynamicAnchorOf,
  indexReferences,
  type Place,
  type Resource,
  type Target,
} from './references.ts'
import { fail, type Check, type Scope } from './run.ts'
import { SchemaError } from './schema-error.ts'
import type { Site } from './site.ts'
import type { SchemaPath } from './subschemas.ts'

/** Compiles every schema of a document that can be reached, and reports all that is wrong with them at once. */
export function compileDocument(
  document: JsonSchema | boolean,
  options: CompileOptions,
): { readonly check: Check; readonly scope: Scope } {
  const { untrusted = false, assertFormats = true, maxReferenceDepth = 256 } = options
  const problems: SchemaIssue[] = []
  const units = new Map<JsonSchema, CompilingUnit>()
  const compilePattern = createPatternCompiler(!untrusted)
  const dynamic = new Set<ReadonlyMap<Resource, JsonSchema>>()
  // References wait here, so that a long chain of them does not become a deep recursion.
  const waiting: JsonSchema[] = []
  if (!isSchema(document)) throw new SchemaError([{ message: notSchema, path: [] }])
  const references = indexReferences(document, { resolve: options.resolve, refuse })

  const root = unitOf(document)
  while (waiting.length > 0) {
    for (let schema = waiting.pop(); schema; schema = waiting.pop()) compileNow(schema)
    // Only now is every document known that may have an anchor by these names.
    for (const anchored of dynamic) for (const schema of anchored.values()) unitOf(schema)
  }
  if (problems.length > 0) throw new SchemaError(problems)
  return { check: root.check, scope: { resource: references.root, outer: undefined } }

  function refuse(message: string, path: SchemaPath): void {
    if (problems.length < 20) problems.push({ message, path })
  }

  function unitOf(schema: JsonSchema | boolean): Unit {
    if (typeof schema === 'boolean') return { check: schema ? accept : reject }
    const known = units.get(schema)
    if (known) return known
    const unit: CompilingUnit = { check: reject, status: 'waiting' }
    units.set(schema, unit)
    waiting.push(schema)
    return unit
  }

  function dynamicTargets({ schema, resource, fragment }: Target) {
    if (typeof schema === 'boolean') return undefined
    if (dynamicAnchorOf(schema, resource.dialect) !== fragment) return undefined
    const anchored = references.dynamicAnchors.get(fragment)
    if (anchored) dynamic.add(anchored)
    return anchored
  }

  function compileNow(schema: JsonSchema): Unit {
    const unit = units.get(schema) ?? { check: reject, status: 'waiting' }
    units.set(schema, unit)
    const place = references.place(schema)
    if (unit.status === 'compiled' || !place) return unit
    if (unit.status === 'compiling') refuse('contains itself', place.path)
    else {
      unit.status = 'compiling'
      unit.check = compileKeywords(siteOf(schema, place), {
        references,
        place,
        unitOf,
        dynamicTargets,
        maxDepth: maxReferenceDepth,
        isResource: place.resource.root === schema && schema !== document,
      })
      unit.status = 'compiled'
    }
    return unit
  }

  function siteOf(schema: JsonSchema, { resource, path }: Place): Site {
    const { dialect } = resource
    const hasOnlyReference = dialect.version <= 7 && typeof readOwn(schema, '$ref') === 'string'
    const at = (inner: SchemaPath): SchemaPath => [...path, ...inner]
    return {
      version: dialect.version,
      assertsFormats: assertFormats,
      read: (keyword) => {
        if (hasOnlyReference && keyword !== '$ref') return undefined
        const value = readOwn(schema, keyword)
        return value !== undefined && hasKeyword(dialect, keyword) ? value : undefined
      },
      compile: (child, ...inner) => {
        if (typeof child === 'boolean') return unitOf(child).check
        if (isObject(child)) return compileNow(child).check
        const isOldTuple = Array.isArray(child) && dialect.version === 2020
        refuse(
          isOldTuple ? `${notSchema} (a tuple is written as prefixItems)` : notSchema,
          at(inner),
        )
        return reject
      },
      compilePattern: (source, ...inner) =>
        compilePattern(source, (reason) => refuse(reason, at(inner))),
      refuse: (message, ...inner) => refuse(message, at(inner)),
    }
  }
}

interface CompilingUnit extends Unit {
  status: 'waiting' | 'compiling' | 'compiled'
}

const notSchema = 'must be a schema: an object or a boolean'

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value)
}

function accept(): boolean {
  return true
}

const reject: Check = (_value, run) => fail(run, 'is not allowed')
