import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { Parameter } from './operations.ts'

// How values are written into a path, a query, a header or a form: the styles of OpenAPI, which are those of RFC 6570.

/** A pair of a query or a form, not yet encoded. */
export type Pair = readonly [name: string, value: string]

/** How a value is written. */
export interface Style {
  readonly name: string
  readonly style: string
  readonly explode: boolean
}

/** The segment of a path: everything that is not a letter, a digit or one of `-_.!~*'()` is encoded. */
export function pathText(parameter: Parameter, value: JsonValue): string {
  const { name, style, explode, isJson } = parameter
  if (isJson) return encodeURIComponent(JSON.stringify(value))
  const encoded = encodeURIComponent(name)
  if (style === 'label') return `.${joined(value, explode, explode ? '.' : ',')}`
  if (style !== 'matrix') return joined(value, explode, ',')
  if (!explode) return `;${encoded}=${joined(value, false, ',')}`
  if (Array.isArray(value))
    return items(value)
      .map((item) => `;${encoded}=${item}`)
      .join('')
  return isJsonObject(value)
    ? members(value)
        .map(([key, member]) => `;${key}=${member}`)
        .join('')
    : `;${encoded}=${encodeURIComponent(plain(value))}`
}

/** A header's value: the same as in a path, as it is. */
export function headerText({ explode, isJson }: Parameter, value: JsonValue): string {
  if (isJson) return JSON.stringify(value)
  return decodeURIComponent(joined(value, explode, ','))
}

/** The pairs of a query or a form that stand for one value. */
export function queryPairs({ name, style, explode }: Style, value: JsonValue): readonly Pair[] {
  if (style === 'deepObject') return deepPairs(name, value)
  const delimiter = { spaceDelimited: ' ', pipeDelimited: '|' }[style] ?? ','
  if (Array.isArray(value)) {
    if (value.some(isNested)) return deepPairs(name, value)
    const texts = value.map(plain)
    return explode ? texts.map((text) => [name, text]) : [[name, texts.join(delimiter)]]
  }
  if (!isJsonObject(value)) return [[name, plain(value)]]
  const entries = Object.entries(value).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  )
  if (entries.some(([, member]) => isNested(member))) return deepPairs(name, value)
  return explode
    ? entries.map(([key, member]) => [key, plain(member)])
    : [[name, entries.flatMap(([key, member]) => [key, plain(member)]).join(delimiter)]]
}

/** `name[key][0]=value`: what there is no rule for is written as most servers read it. */
function deepPairs(name: string, value: JsonValue): readonly Pair[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: JsonValue, at) => deepPairs(`${name}[${at}]`, item))
  }
  if (!isJsonObject(value)) return [[name, plain(value)]]
  return Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : deepPairs(`${name}[${key}]`, member),
  )
}

function joined(value: JsonValue, explode: boolean, separator: string): string {
  if (Array.isArray(value)) return items(value).join(separator)
  if (!isJsonObject(value)) return encodeURIComponent(plain(value))
  const pairs = members(value)
  return explode
    ? pairs.map(([key, member]) => `${key}=${member}`).join(separator)
    : pairs.flat().join(separator)
}

function items(value: readonly JsonValue[]): readonly string[] {
  return value.map((item) => encodeURIComponent(plain(item)))
}

function members(value: { readonly [name: string]: JsonValue | undefined }): readonly Pair[] {
  return Object.entries(value).flatMap(([key, member]): Pair[] =>
    member === undefined ? [] : [[encodeURIComponent(key), encodeURIComponent(plain(member))]],
  )
}

function isNested(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null
}

function plain(value: JsonValue): string {
  if (typeof value === 'string') return value
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A query as text. With `allowReserved` characters that have a meaning in URLs stay, but those that end a query or a pair. */
export function encodeQuery(pairs: readonly Pair[], allowReserved: ReadonlySet<string>): string {
  return pairs
    .map(([name, value]) => {
      const encoded = encodeURIComponent(value)
      return `${encodeURIComponent(name)}=${allowReserved.has(name) ? encoded.replaceAll(reserved, decodeURIComponent) : encoded}`
    })
    .join('&')
}

/** `:/?@!$'()*,;` and brackets, but not `#`, `&`, `+` and `=`. */
const reserved = /%(?:3A|2F|3F|40|24|2C|3B|5B|5D)/gi
