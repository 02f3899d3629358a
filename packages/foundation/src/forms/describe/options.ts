import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { Option } from './form-node.ts'

/** More values than this are not offered one by one. */
const maximumOptions = 2000

/** The values a schema lists itself: `const`, or `enum` with the names it may have beside it. */
export function readOptions(schema: { readonly [keyword: string]: unknown }): Option[] | undefined {
  if (Object.hasOwn(schema, 'const')) {
    // Values in a schema are JSON: the schema was parsed from JSON.
    const value = schema['const'] as JsonValue
    return [{ value, label: labelOf(value) }]
  }
  const values = schema['enum']
  if (!Array.isArray(values) || values.length > maximumOptions) return undefined
  const names = listOf(schema['enumNames'])
  const descriptions = listOf(schema['enumDescriptions'] ?? schema['markdownEnumDescriptions'])
  return (values as readonly JsonValue[]).map((value, index) => {
    const description = textOf(descriptions[index])
    const label = textOf(names[index]) ?? labelOf(value)
    return description === undefined ? { value, label } : { value, label, description }
  })
}

/** Options told by the variants of a union: each a constant, with a title and a description of its own. */
export function optionsOfVariants(variants: readonly unknown[]): Option[] | undefined {
  if (variants.length > maximumOptions) return undefined
  const options: Option[] = []
  for (const variant of variants) {
    if (!isJsonObject(variant) || !onlyLists(variant)) return undefined
    options.push(...titled(readOptions(variant) ?? [], variant))
  }
  return options
}

const listingKeywords = new Set(['const', 'enum', 'enumNames', 'title', 'description', 'type'])

function onlyLists(variant: { readonly [keyword: string]: unknown }): boolean {
  const { const: constant, enum: values } = variant
  if (constant === undefined && !Array.isArray(values)) return false
  return Object.keys(variant).every((keyword) => listingKeywords.has(keyword))
}

/** A value as the text of an option. */
export function labelOf(value: JsonValue): string {
  if (typeof value === 'string') return value === '' ? '(empty)' : value
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** The title of a schema with one value is that value's name. */
function titled(
  options: readonly Option[],
  schema: { readonly [keyword: string]: unknown },
): readonly Option[] {
  const [only] = options
  if (!only || options.length > 1) return options
  const description = textOf(schema['description'])
  const label = textOf(schema['title']) ?? only.label
  return [description === undefined ? { ...only, label } : { ...only, label, description }]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
