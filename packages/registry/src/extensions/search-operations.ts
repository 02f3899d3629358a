import { freshJson, readableJson } from '../api/answer.ts'
import { entryJson } from '../api/entry-json.ts'
import type { Operation } from '../api/operation.ts'
import { Problem } from '../api/problem.ts'
import { readDocument } from '../document/read-document.ts'
import { wordsOf } from '../search/words.ts'
import {
  searchEntries,
  searchOrders,
  suggestNames,
  type SearchOrder,
} from '../storage/search-entries.ts'
import { facetNames } from '../storage/search-index.ts'

const maxWords = 10
const text = { type: 'string' } as const

/** Letters and digits only: nothing of a query language is left. */
function readWords(input: string | undefined): readonly string[] {
  return wordsOf(input ?? '').slice(0, maxWords)
}

function readOrder(given: string | undefined): SearchOrder | undefined {
  const order = searchOrders.find((one) => one === given)
  if (given === undefined || order !== undefined) return order
  const known = searchOrders.join(', ')
  throw new Problem(422, `The query parameter sort must be one of ${known}.`, {
    details: [{ message: `expected one of ${known}`, location: 'query.sort' }],
  })
}

const search: Operation = {
  method: 'GET',
  path: 'x/search',
  summary: 'The latest versions that fit all words, the best first, with counts to narrow down by',
  query: {
    q: text,
    sort: { enum: searchOrders },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    offset: { type: 'integer', minimum: 0, maximum: 500, default: 0 },
    ...Object.fromEntries(facetNames.map((name) => [name, text])),
  },
  aliases: { search: 'q' },
  effort: 'read',
  isWriting: false,
  async run({ request, query, reader, isPublic }, { database }) {
    const input = facetNames.flatMap((name) => {
      const value = query.text(name)
      return value === undefined ? [] : [[name, value] as const]
    })
    const { entries, total, hasMore, facets } = await searchEntries(database, {
      words: readWords(query.text('q')),
      facets: Object.fromEntries(input),
      sort: readOrder(query.text('sort')),
      limit: query.integer('limit', { least: 1, most: 100 }) ?? 20,
      offset: query.integer('offset', { least: 0, most: 500 }) ?? 0,
      reader,
    })
    const metadata = JSON.stringify({ count: entries.length, total, hasMore })
    const servers = entries.map(entryJson).join(',')
    const json = `{"servers":[${servers}],"facets":${JSON.stringify(facets)},"metadata":${metadata}}`
    return readableJson(request, json, isPublic)
  },
}

const suggest: Operation = {
  method: 'GET',
  path: 'x/suggest',
  summary: 'Names for what was typed so far',
  query: { q: text, limit: { type: 'integer', minimum: 1, maximum: 20, default: 10 } },
  aliases: { search: 'q' },
  effort: 'read',
  isWriting: false,
  async run({ query, reader }, { database }) {
    const words = readWords(query.text('q'))
    const limit = query.integer('limit', { least: 1, most: 20 }) ?? 10
    const found = words.length === 0 ? [] : await suggestNames(database, { words, limit, reader })
    const suggestions = found.map(({ name, document }) => {
      const { title } = readDocument(document)
      return { name, ...(title !== undefined && { title }) }
    })
    return freshJson({ suggestions })
  },
}

/** Finding by words. */
export const searchOperations: readonly Operation[] = [search, suggest]
