import { isJsonObject } from '@parley/mcp/json'

import { fromPointer } from '../path.ts'
import { indexSchema, type Resource, type SchemaIndex } from './schema-index.ts'

/** A schema and the resource its references start from. */
export interface SchemaLocation {
  /** An object or a boolean; anything else says nothing. */
  readonly schema: unknown
  readonly resource: Resource
  /** The name in the reference that led here. */
  readonly name?: string | undefined
}

/** A whole schema as it was sent, and where its references lead. */
export interface SchemaDocument {
  readonly root: SchemaLocation
  /** Before 2019-09 what stands beside a `$ref` has no meaning. */
  readonly ignoresRefSiblings: boolean
  /** Undefined for one that leads nowhere, or out of the document: nothing is ever fetched. */
  resolve(keyword: ReferenceKeyword, reference: string, from: Resource): SchemaLocation | undefined
}

export type ReferenceKeyword = '$ref' | '$dynamicRef' | '$recursiveRef'

const oldDrafts = /draft-0[3467]\/schema/

/** Reads nothing ahead but names and anchors; references are followed when they are met. */
export function openSchema(schema: unknown): SchemaDocument {
  const top: Resource = isJsonObject(schema) ? schema : {}
  const root: SchemaLocation = { schema, resource: top }
  const dialect = isJsonObject(schema) ? schema['$schema'] : undefined
  let index: SchemaIndex | undefined

  return {
    root,
    ignoresRefSiblings: typeof dialect === 'string' && oldDrafts.test(dialect),
    resolve(keyword, reference, from) {
      index ??= indexSchema(top)
      if (keyword === '$dynamicRef') return followDynamic(index, reference, from)
      return follow(index, keyword === '$recursiveRef' ? '#' : reference, from)
    },
  }
}

function follow(index: SchemaIndex, reference: string, from: Resource): SchemaLocation | undefined {
  const hash = reference.indexOf('#')
  const address = hash === -1 ? reference : reference.slice(0, hash)
  const fragment = hash === -1 ? '' : decode(reference.slice(hash + 1))
  const resource = address === '' ? from : index.resourceAt(address, from)
  if (!resource || fragment === undefined) return undefined
  if (fragment === '') return { schema: resource, resource }
  if (!fragment.startsWith('/')) {
    const schema = index.anchor(resource, fragment)
    return schema && { schema, resource, name: fragment }
  }
  return walk(resource, fromPointer(fragment) ?? [])
}

/** With one anchor of that name the caller cannot matter, and the reference is a plain one. */
function followDynamic(
  index: SchemaIndex,
  reference: string,
  from: Resource,
): SchemaLocation | undefined {
  const name = reference.startsWith('#') ? reference.slice(1) : undefined
  if (name && index.countDynamic(name) > 1) return undefined
  return follow(index, reference, from)
}

function walk(start: Resource, parts: readonly string[]): SchemaLocation | undefined {
  let resource = start
  let schema: unknown = start
  for (const part of parts) {
    if (Array.isArray(schema)) schema = schema[Number(part)]
    else if (isJsonObject(schema) && Object.hasOwn(schema, part)) schema = schema[part]
    else return undefined
    if (isJsonObject(schema) && typeof schema['$id'] === 'string') resource = schema
  }
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) return undefined
  return { schema, resource, name: parts.at(-1) }
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}
