/**
 * Indexes the schemas of a document by `$id`, `$anchor` and dynamic anchors, and resolves `$ref`, `$dynamicRef` and `$recursiveRef`.
 *
 * Other documents come from the option `resolve`; nothing is fetched. `read-document.ts` and `compile.ts` use the index.
 */

import { isObject, readMember } from '../json.ts'
import type { JsonSchema } from '../standard-schema.ts'
import {
  defaultDialect,
  dialectOf,
  dialectOfMetaSchema,
  hasKeyword,
  type Dialect,
  subschemas,
  type SchemaPath,
} from './dialect.ts'
import { SchemaError } from './schema-error.ts'

/** A schema with an identity of its own: a document, or a part of one that has an `$id`. */
export interface Resource {
  readonly uri: string
  readonly root: JsonSchema | boolean
  readonly dialect: Dialect
  readonly anchors: Map<string, JsonSchema>
}

/** By name, then by resource; `$recursiveAnchor` is the one without a name. */
export type DynamicAnchors = ReadonlyMap<string, ReadonlyMap<Resource, JsonSchema>>

/** Where a schema stands: whose rules and base address it follows, and how it is reached. */
export interface SchemaLocation {
  readonly resource: Resource
  readonly path: SchemaPath
}

/** Every schema that can be referred to. */
export interface References {
  readonly place: (schema: JsonSchema) => SchemaLocation | undefined
  /** The schema a reference means when it stands in `from`, with its resource. */
  readonly resolve: (reference: string, from: SchemaLocation) => Target | undefined
  readonly dynamicAnchors: DynamicAnchors
  /** The document's own. */
  readonly root: Resource
}

/** The target of a reference. */
export interface Target {
  readonly schema: JsonSchema | boolean
  readonly resource: Resource
  readonly fragment: string
}

/** How other documents are found, and who is told about their problems. */
export interface ReferenceOptions {
  readonly resolve: ((uri: string) => JsonSchema | boolean | undefined) | undefined
  readonly refuse: (message: string, path: SchemaPath) => void
}

// Relative addresses need something to be relative to; no address of a real document starts so.
const nowhere = 'schema:/'
const maxNesting = 256
const maxSchemas = 100_000
const tooLarge = `contains more than ${maxSchemas} schemas`

/** Indexes a schema document, and those it refers to, as `resolve` hands them over. Nothing is ever fetched. */
export function indexReferences(
  document: JsonSchema | boolean,
  options: ReferenceOptions,
): References {
  const locations = new Map<JsonSchema, SchemaLocation>()
  const resources = new Map<string, Resource>()
  const dynamicAnchors = new Map<string, Map<Resource, JsonSchema>>()
  const own = addDocument(document, nowhere, defaultDialect)

  return {
    place: (schema) => locations.get(schema),
    resolve,
    dynamicAnchors,
    root: own,
  }

  function addDocument(root: JsonSchema | boolean, uri: string, inherited: Dialect): Resource {
    const dialect = isObject(root) ? readDialect(root, inherited) : inherited
    const resource = createResource(root, uri, dialect)
    resources.set(uri, resource)
    if (!isObject(root)) return resource
    add(root, resource, [], 0)
    // The document may go by another name than the one it was asked for.
    const named = locations.get(root)?.resource ?? resource
    resources.set(uri, named)
    return named
  }

  function add(schema: JsonSchema, outer: Resource, path: SchemaPath, nesting: number): void {
    if (locations.has(schema)) return
    if (nesting > maxNesting) return options.refuse(`is nested more than ${maxNesting} deep`, path)
    if (locations.size >= maxSchemas) throw new SchemaError([{ message: tooLarge, path }])
    const resource = ownResource(schema, outer, path) ?? outer
    const { dialect } = resource
    locations.set(schema, { resource, path })
    const anchor = hasKeyword(dialect, '$anchor') && readMember(schema, '$anchor')
    if (typeof anchor === 'string') resource.anchors.set(anchor, schema)
    const dynamic = dynamicAnchorOf(schema, dialect)
    if (dynamic !== undefined) {
      const anchored = dynamicAnchors.get(dynamic) ?? new Map<Resource, JsonSchema>()
      dynamicAnchors.set(dynamic, anchored.set(resource, schema))
    }
    for (const [child, ...childPath] of subschemas(schema, dialect)) {
      if (isObject(child)) add(child, resource, [...path, ...childPath], nesting + 1)
    }
  }

  function ownResource(
    schema: JsonSchema,
    outer: Resource,
    path: SchemaPath,
  ): Resource | undefined {
    if (readMember(schema, '$id') === undefined && readMember(schema, 'id') === undefined)
      return undefined
    const dialect = readDialect(schema, outer.dialect)
    const id = readMember(schema, dialect.version === 4 ? 'id' : '$id')
    if (typeof id !== 'string') return undefined
    // Before 2019-09 a reference hides everything beside it, its own address too.
    if (dialect.version <= 7 && typeof readMember(schema, '$ref') === 'string') return undefined
    if (dialect.version <= 7 && id.startsWith('#')) {
      outer.anchors.set(id.slice(1), schema)
      return undefined
    }
    const address = parseAddress(id, outer.uri)
    if (!address) {
      options.refuse(`has an identifier that is not a URI: ${JSON.stringify(id)}`, path)
      return undefined
    }
    if (address.uri === outer.uri) return undefined
    const resource = createResource(schema, address.uri, dialect)
    resources.set(address.uri, resource)
    return resource
  }

  function readDialect(schema: JsonSchema, inherited: Dialect): Dialect {
    const uri = readMember(schema, '$schema')
    if (typeof uri !== 'string') return inherited
    const dialect = dialectOf(uri)
    if (dialect) return dialect
    const metaSchema = options.resolve?.(uri)
    const custom = isObject(metaSchema) ? dialectOfMetaSchema(metaSchema) : undefined
    if (!custom)
      options.refuse(`is written in a dialect we do not know: ${JSON.stringify(uri)}`, ['$schema'])
    return custom ?? inherited
  }

  function resolve(reference: string, { resource }: SchemaLocation): Target | undefined {
    const address = parseAddress(reference, resource.uri)
    if (!address) return undefined
    const { uri, fragment } = address
    const target = resources.get(uri) ?? load(uri, resource.dialect)
    if (!target) return undefined
    if (fragment === '') return { schema: target.root, resource: target, fragment }
    if (fragment.startsWith('/')) return followPointer(target, fragment)
    const schema = target.anchors.get(fragment) ?? dynamicAnchors.get(fragment)?.get(target)
    return schema && { schema, resource: target, fragment }
  }

  function load(uri: string, inherited: Dialect): Resource | undefined {
    const isRelative = uri.startsWith(nowhere)
    const found = options.resolve?.(isRelative ? uri.slice(nowhere.length) : uri)
    return found === undefined ? undefined : addDocument(found, uri, inherited)
  }

  function followPointer(start: Resource, fragment: string): Target | undefined {
    let current: unknown = start.root
    let resource = start
    const path: string[] = []
    for (const token of fragment.slice(1).split('/')) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof current !== 'object' || current === null) return undefined
      current = readMember(current, name)
      path.push(name)
      if (isObject(current)) resource = locations.get(current)?.resource ?? resource
    }
    if (typeof current === 'boolean') return { schema: current, resource, fragment }
    if (!isObject(current)) return undefined
    // A schema under a keyword nobody knows is indexed only once something refers to it.
    if (!locations.has(current)) add(current, resource, path, 0)
    return { schema: current, resource: locations.get(current)?.resource ?? resource, fragment }
  }
}

function createResource(root: JsonSchema | boolean, uri: string, dialect: Dialect): Resource {
  return { uri, root, dialect, anchors: new Map() }
}

function parseAddress(
  reference: string,
  base: string,
): { uri: string; fragment: string } | undefined {
  try {
    if (reference.startsWith('#')) {
      return { uri: base, fragment: decodeURIComponent(reference.slice(1)) }
    }
    const url = new URL(reference, base)
    const fragment = url.hash.slice(1)
    url.hash = ''
    return { uri: url.href, fragment: decodeURIComponent(fragment) }
  } catch {
    // Not an address, or badly escaped: there is nothing it could mean.
    return undefined
  }
}

/** The name under which a schema can be found dynamically; empty for `$recursiveAnchor`. */
export function dynamicAnchorOf(schema: JsonSchema, dialect: Dialect): string | undefined {
  const name = hasKeyword(dialect, '$dynamicAnchor')
    ? readMember(schema, '$dynamicAnchor')
    : undefined
  if (typeof name === 'string' && name !== '') return name
  const isRecursive =
    hasKeyword(dialect, '$recursiveAnchor') && readMember(schema, '$recursiveAnchor')
  return isRecursive === true ? '' : undefined
}
