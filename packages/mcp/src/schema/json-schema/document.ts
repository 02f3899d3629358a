import { isObject, readMember } from '../json.ts'
import type { JsonSchema, SchemaIssue } from '../standard-schema.ts'
import type { CompileOptions } from './compile.ts'
import { hasKeyword, type SchemaPath } from './dialect.ts'
import type { Unit } from './keywords/applicators.ts'
import { compileKeywords } from './keywords/keywords.ts'
import { createPatternCompiler } from './pattern.ts'
import { readDocument } from './read-document.ts'
import {
  dynamicAnchorOf,
  type SchemaLocation,
  type References,
  type Resource,
  type Target,
} from './references.ts'
import { fail, type Check, type Scope } from './run.ts'
import { SchemaError } from './schema-error.ts'
import type { Site } from './site.ts'

/** Compiles every schema of a document that can be reached, once all of them are known to be in order. */
export function compileDocument(
  document: JsonSchema | boolean,
  options: CompileOptions,
  references: References = readDocument(document, options.resolve),
): { readonly check: Check; readonly scope: Scope } {
  const { untrusted = false, assertFormats = true, maxReferenceDepth = 256 } = options
  const problems: SchemaIssue[] = []
  const units = new Map<JsonSchema, CompilingUnit>()
  const compilePattern = createPatternCompiler(!untrusted)
  const dynamic = new Set<ReadonlyMap<Resource, JsonSchema>>()
  // References wait here, so that a long chain of them does not become a deep recursion.
  const waiting: JsonSchema[] = []

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
    const existing = units.get(schema)
    if (existing) return existing
    const unit: CompilingUnit = { check: reject, isCompiled: false }
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
    const unit = units.get(schema) ?? { check: reject, isCompiled: false }
    units.set(schema, unit)
    const location = references.place(schema)
    if (!unit.isCompiled && location) {
      unit.isCompiled = true
      unit.check = compileKeywords(siteOf(schema, location), {
        references,
        place: location,
        unitOf,
        dynamicTargets,
        maxDepth: maxReferenceDepth,
        isResource: location.resource.root === schema && schema !== document,
      })
    }
    return unit
  }

  function siteOf(schema: JsonSchema, { resource, path }: SchemaLocation): Site {
    const { dialect } = resource
    const hasOnlyReference = dialect.version <= 7 && typeof readMember(schema, '$ref') === 'string'
    return {
      version: dialect.version,
      assertsFormats: assertFormats,
      read: (keyword) => {
        if (hasOnlyReference && keyword !== '$ref') return undefined
        const value = readMember(schema, keyword)
        return value !== undefined && hasKeyword(dialect, keyword) ? value : undefined
      },
      compile: (child) =>
        isObject(child) ? compileNow(child).check : unitOf(child === true).check,
      compilePattern: (source, ...inner) =>
        compilePattern(source, (reason) => refuse(reason, [...path, ...inner])),
    }
  }
}

interface CompilingUnit extends Unit {
  isCompiled: boolean
}

function accept(): boolean {
  return true
}

const reject: Check = (_value, run) => fail(run, 'is not allowed')
