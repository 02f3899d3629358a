import { findVersion, findVersions } from '../storage/find-entries.ts'
import { listEntries } from '../storage/list-entries.ts'
import { readableJson } from './answer.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { entryJson, listJson } from './entry-json.ts'
import type { Operation } from './operation.ts'
import { Problem } from './problem.ts'

const defaultLimit = 30
const maxLimit = 100
/** Characters of a substring. */
const maxSearch = 200

const listServers: Operation = {
  method: 'GET',
  path: 'servers',
  summary: 'All versions of all servers, filtered, page by page',
  query: {
    cursor: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit },
    search: { type: 'string', maxLength: maxSearch },
    updated_since: { type: 'string', format: 'date-time' },
    version: { type: 'string' },
    include_deleted: { type: 'boolean', default: false },
  },
  aliases: { q: 'search' },
  effort: 'read',
  isWriting: false,
  async run({ request, query, reader, isPublic }, { database }) {
    const cursor = query.text('cursor')
    const search = query.text('search')
    const updatedSince = query.time('updated_since')
    if (search !== undefined && search.length > maxSearch) {
      throw new Problem(400, `The query parameter search is longer than ${maxSearch} characters.`)
    }
    const { entries, hasMore } = await listEntries(database, {
      after: cursor === undefined || cursor === '' ? undefined : decodeCursor(cursor),
      limit: query.integer('limit', { least: 1, most: maxLimit }) ?? defaultLimit,
      search: search === '' ? undefined : search,
      updatedSince,
      version: query.text('version'),
      // A mirror that asks what has changed must learn of deletions.
      includeDeleted: updatedSince !== undefined || (query.flag('include_deleted') ?? false),
      reader,
    })
    const last = entries.at(-1)
    const metadata = {
      count: entries.length,
      ...(hasMore && last !== undefined && { nextCursor: encodeCursor(last) }),
    }
    return readableJson(request, listJson(entries, metadata), isPublic)
  },
}

const listVersions: Operation = {
  method: 'GET',
  path: 'servers/{serverName}/versions',
  summary: 'All versions of one server, the newest publication first',
  query: { include_deleted: { type: 'boolean', default: false } },
  effort: 'read',
  isWriting: false,
  async run({ request, query, parameters, reader, isPublic }, { database }) {
    const includeDeleted = query.flag('include_deleted') ?? false
    const name = parameters['serverName'] ?? ''
    const entries = await findVersions(database.queries, name, includeDeleted, reader)
    if (entries.length === 0) throw new Problem(404, 'Server not found')
    return readableJson(request, listJson(entries, { count: entries.length }), isPublic)
  },
}

const getVersion: Operation = {
  method: 'GET',
  path: 'servers/{serverName}/versions/{version}',
  summary: 'One version of a server; latest is the latest',
  query: { include_deleted: { type: 'boolean', default: false } },
  effort: 'read',
  isWriting: false,
  async run({ request, query, parameters, reader, isPublic }, { database }) {
    const includeDeleted = query.flag('include_deleted') ?? false
    const { serverName = '', version = '' } = parameters
    const entry = await findVersion(database.queries, serverName, version, includeDeleted, reader)
    if (entry === undefined) throw new Problem(404, 'Server not found')
    return readableJson(request, entryJson(entry), isPublic)
  },
}

/** The three that every registry has. */
export const readOperations: readonly Operation[] = [listServers, listVersions, getVersion]
