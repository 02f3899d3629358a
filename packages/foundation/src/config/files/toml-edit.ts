/**
 * Changes tables of a TOML file as text, so that comments, order and spaces stay. The library that reads TOML cannot write a file it
 * has read without losing them. Tables are found by their headers; the result is read again, and a file in which anything else
 * would have changed is left alone. `edit-config.ts` uses it for the servers of Codex.
 */

import { isDeepStrictEqual } from 'node:util'

import { isJsonObject } from '@parley/mcp/json'

import { loadToml } from './load-toml.ts'
import { maxLevels } from './nesting.ts'
import { tomlHeaders } from './toml-lines.ts'

/** The file writes the same thing in a way that cannot be changed by its tables. */
export class UnwritableToml extends Error {}

/** The text with `[key.name]` and its tables replaced by an entry, or without them if it is undefined. */
export function setInToml(
  text: string,
  [key, name]: readonly [string, string],
  entry: object | undefined,
): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text === '' ? [] : text.split(eol)
  if (lines.at(-1) === '') lines.pop()
  const own = blocksOf(lines).filter(({ path }) => path[0] === key && path[1] === name)
  const written = entry === undefined ? [] : writeTable([key, name], entry)
  const at = own[0]?.from ?? lines.length
  const isBlank = (line: string | undefined) => line?.trim() === ''
  // The empty lines behind a table go with it.
  const isOwn = (index: number) =>
    own.some(
      ({ from, to }) => index >= from && (index < to || lines.slice(to, index + 1).every(isBlank)),
    )
  const before = lines.slice(0, at)
  const after = lines.slice(at).filter((_, index) => !isOwn(at + index))
  while (written.length === 0 && after.length === 0 && isBlank(before.at(-1))) before.pop()
  const gap = (list: readonly string[], line: string | undefined) =>
    list.length > 0 && line !== undefined && !isBlank(line) ? [''] : []
  const next = [
    ...before,
    ...gap(written, before.at(-1)),
    ...written,
    ...gap(written, after[0]),
    ...after,
  ]
  const result = next.length === 0 ? '' : next.join(eol) + eol
  requireOnly(text, result, [key, name], entry)
  return result
}

interface Block {
  readonly path: readonly string[]
  readonly from: number
  readonly to: number
}

/** Tables with the lines that belong to them; comments above a header belong to that header. */
function blocksOf(lines: readonly string[]): readonly Block[] {
  const headers = tomlHeaders(lines)
  return headers.map(({ line, path }, index) => {
    let to = headers[index + 1]?.line ?? lines.length
    while (to > line + 1 && /^\s*(?:#.*)?$/.test(lines[to - 1] ?? '')) to -= 1
    return { path, from: line, to }
  })
}

/** Values first, since what follows a header belongs to its table. */
function writeTable(path: readonly string[], table: object): readonly string[] {
  const pairs = Object.entries(table).filter(([, value]) => value !== undefined)
  const values = pairs.filter(([, value]) => !isJsonObject(value))
  const tables = pairs.filter(([, value]) => isJsonObject(value))
  return [
    `[${path.map(writeKey).join('.')}]`,
    ...values.map(([name, value]) => `${writeKey(name)} = ${writeValue(value)}`),
    ...tables.flatMap(([name, value]) => ['', ...writeTable([...path, name], value as object)]), // an object, by `isJsonObject`
  ]
}

function writeKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : writeValue(name)
}

/** Strings of JSON are basic strings of TOML, but for DEL. */
function writeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
}

/** Nothing may be different but the entry. */
function requireOnly(
  before: string,
  after: string,
  [key, name]: readonly [string, string],
  entry: object | undefined,
): void {
  const { parse } = loadToml()
  const read = (text: string) => parse(text, { maxDepth: maxLevels })
  const expected = read(before)
  const table: unknown = expected[key]
  const { [name]: _, ...others } = isJsonObject(table) ? table : {}
  const servers =
    entry === undefined
      ? others
      : { ...others, [name]: JSON.parse(JSON.stringify(entry)) as unknown }
  try {
    const { [key]: found = {}, ...rest } = read(after)
    const { [key]: __, ...restBefore } = expected
    if (
      isDeepStrictEqual(plain(found), plain(servers)) &&
      isDeepStrictEqual(plain(rest), plain(restBefore))
    )
      return
  } catch {
    // It is no TOML any more: the entry stands in the file in another form.
  }
  throw new UnwritableToml()
}

/** Objects of the library have no prototype, or one of their own. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}
