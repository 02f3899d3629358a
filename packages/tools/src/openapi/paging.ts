import type { JsonObject, JsonValue } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'
import { isJsonObject } from '@parley/mcp/json'

import type { ToolInput } from './input.ts'
import { type Parameter, objectOf } from './operations.ts'
import type { ApiResponse } from './send-request.ts'

/** Where an answer has the cursor of the next page, and which parameter of the query takes it. */
export interface PageCursor {
  /** Members to go through, joined by dots: `metadata.continue`. */
  readonly from: string
  /** The parameter of the query that takes it. */
  readonly parameter: string
}

/** Common ways of paging. A rule applies only to operations that have its parameter. */
const usualCursors: readonly PageCursor[] = [
  { from: 'metadata.continue', parameter: 'continue' },
  { from: 'next_cursor', parameter: 'cursor' },
  { from: 'nextCursor', parameter: 'cursor' },
  { from: 'response_metadata.next_cursor', parameter: 'cursor' },
  { from: 'meta.next_cursor', parameter: 'cursor' },
  { from: 'next_page_token', parameter: 'page_token' },
  { from: 'nextPageToken', parameter: 'pageToken' },
  { from: 'paging.next.after', parameter: 'after' },
]

/** The arguments that ask for the next page; undefined if there is none, or none that this tool can ask for. */
export function nextPage(
  answer: ApiResponse,
  url: URL,
  { parameters }: ToolInput,
  args: JsonObject,
  cursors: readonly PageCursor[] = [],
): JsonObject | undefined {
  const found =
    byUrl(linkToNext(answer.headers.get('link'))) ??
    byCursor() ??
    byLastItem() ??
    byUrl(memberAt(answer.json, 'next')) ??
    byUrl(memberAt(answer.json, 'links.next'))
  if (found === undefined) return undefined
  const next = { ...args, ...found }
  return JSON.stringify(next) === JSON.stringify(args) ? undefined : next

  function queryArgument(name: string) {
    return parameters.find(([, parameter]) => parameter.in === 'query' && parameter.name === name)
  }

  /** Only a page of the same list: an answer never says whom to ask. */
  function byUrl(text: unknown): JsonObject | undefined {
    const target = typeof text === 'string' ? parseUrl(text, url) : undefined
    if (target === undefined) return undefined
    if (target.origin !== url.origin || target.pathname !== url.pathname) return undefined
    const changed = [...target.searchParams].flatMap(([name, value]): [string, JsonValue][] => {
      const argument = queryArgument(name)
      return argument && isPlain(argument[1]) ? [[argument[0], readValue(argument[1], value)]] : []
    })
    return changed.length === 0 ? undefined : Object.fromEntries(changed)
  }

  function byCursor(): JsonObject | undefined {
    for (const { from, parameter } of [...cursors, ...usualCursors]) {
      const cursor = memberAt(answer.json, from)
      const argument = queryArgument(parameter)
      const isCursor = (typeof cursor === 'string' && cursor !== '') || typeof cursor === 'number'
      if (argument && isCursor) return { [argument[0]]: cursor }
    }
    return undefined
  }

  /** `has_more`, and the next page begins behind the last id. */
  function byLastItem(): JsonObject | undefined {
    const argument = queryArgument('starting_after')
    if (argument === undefined || memberAt(answer.json, 'has_more') !== true) return undefined
    const data = memberAt(answer.json, 'data')
    const last: unknown = Array.isArray(data) ? data.at(-1) : undefined
    const id = isJsonObject(last) ? last['id'] : undefined
    return typeof id === 'string' ? { [argument[0]]: id } : undefined
  }
}

/** Two pages as one; undefined if it is not clear which list goes on. */
export function joinPages(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
): JsonValue | undefined {
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b]
  if (!isJsonObject(a) || !isJsonObject(b)) return undefined
  const lists = Object.keys(b).filter((name) => Array.isArray(b[name]))
  const [only] = lists
  if (only === undefined || lists.length > 1 || !Array.isArray(a[only])) return undefined
  return { ...b, [only]: [...listAt(a, only), ...listAt(b, only)] }
}

function listAt(value: JsonObject, name: string): readonly JsonValue[] {
  const list = value[name]
  return Array.isArray(list) ? list : []
}

const maxHeaderLength = 8_192

function linkToNext(header: string | null): string | undefined {
  if (header === null || header.length > maxHeaderLength) return undefined
  for (const link of header.split(/,\s*(?=<)/)) {
    const [, target, rest = ''] = /^\s*<([^>]*)>(.*)$/s.exec(link) ?? []
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?:\s|"|;|$)/i.test(rest)) return target
  }
  return undefined
}

function memberAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined,
      value,
    )
}

function isPlain({ schema }: Parameter): boolean {
  const { type } = objectOf(schema)
  return type === undefined || type === 'string' || type === 'integer' || type === 'number'
}

function readValue({ schema }: Parameter, text: string): JsonValue {
  const { type } = objectOf(schema)
  const isNumber =
    (type === 'integer' || type === 'number') && text !== '' && !Number.isNaN(Number(text))
  return isNumber ? Number(text) : text
}
