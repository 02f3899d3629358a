import { setTimeout as sleep } from 'node:timers/promises'

import { parseJson } from '@parley/mcp/json'

import type { RegistryDatabase } from '../storage/tables.ts'
import { mirrorEntries } from './mirror-entries.ts'
import type { SyncOptions, SyncReport, SyncSource } from './options.ts'
import { readPage, type SourcePage } from './read-page.ts'

/** Rows that change while a run reads come again in the next one. */
const overlapMs = 5 * 60_000
const pageLimit = 100
const mostBytes = 64 * 1024 * 1024
const mostRefused = 100

/** Where a source has come to: kept after every page, so that a run that ends early goes on there. */
interface Progress {
  /** Everything up to this time was read. */
  readonly since?: string | undefined
  /** The page to go on with, of a run that began at this time of the source. */
  readonly cursor?: string | undefined
  /** The latest change that the run has seen so far. */
  readonly newest?: string | undefined
}

/** The source does not answer as a registry does. */
export class SyncError extends Error {
  override readonly name = 'SyncError'
}

/**
 * Takes over what has changed at a source since the last run: all of it the first time. Rows are upserted by name and
 * version, so that a page that is read twice changes nothing.
 */
export async function syncRegistry(
  database: RegistryDatabase,
  options: SyncOptions,
  now: () => number,
): Promise<SyncReport> {
  const { source, mostPages = 10_000, signal } = options
  let progress = await readProgress(database, source)
  const seen = new Set<string>()
  const report = { pages: 0, read: 0, changed: 0, filtered: 0, refused: [] as string[] }

  for (;;) {
    signal?.throwIfAborted()
    const page = await fetchPage(options, progress)
    const kept = page.entries.filter(({ document }) => isWanted(source, document.name))
    const { changed, conflicts } = await mirrorEntries(database, source.id, kept, now)
    report.pages += 1
    report.read += page.count
    report.changed += changed
    report.filtered += page.entries.length - kept.length
    const taken = conflicts.map((name) => `${name} is published here, or by another source`)
    for (const why of [...page.refused, ...taken]) {
      if (report.refused.length < mostRefused) report.refused.push(why)
    }
    const newest = latest([
      progress.newest,
      ...page.entries.map(({ official }) => official.updatedAt),
    ])
    const { nextCursor } = page
    if (nextCursor === undefined) {
      const since = latest([progress.since, newest])
      await keepProgress(database, source, since === undefined ? {} : { since })
      return report
    }
    if (seen.has(nextCursor))
      throw new SyncError(`${source.url} repeats the cursor ${nextCursor.slice(0, 100)}`)
    if (page.count === 0) throw new SyncError(`${source.url} goes on after an empty page`)
    if (report.pages >= mostPages)
      throw new SyncError(`${source.url} has more than ${mostPages} pages`)
    seen.add(nextCursor)
    progress = { since: progress.since, cursor: nextCursor, newest }
    await keepProgress(database, source, progress)
  }
}

async function fetchPage(options: SyncOptions, { since, cursor }: Progress): Promise<SourcePage> {
  const { source, attempts = 5, pauseMs = 1_000, signal } = options
  const base = source.url.replace(/\/+$/, '').replace(/\/v0(?:\.1)?$/, '')
  const query = new URLSearchParams({ limit: String(pageLimit) })
  if (since === undefined) query.set('include_deleted', 'true')
  else query.set('updated_since', new Date(Date.parse(since) - overlapMs).toISOString())
  if (cursor !== undefined) query.set('cursor', cursor)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchOnce(`${base}/v0.1/servers?${query.toString()}`, options)
    } catch (error) {
      signal?.throwIfAborted()
      if (attempt >= attempts || error instanceof Final) throw error
      await sleep(pauseMs * 2 ** (attempt - 1), undefined, signal && { signal })
    }
  }
}

/** Asking again would not help. */
class Final extends SyncError {}

async function fetchOnce(
  url: string,
  { source, fetch: send = fetch, signal }: SyncOptions,
): Promise<SourcePage> {
  const timeout = AbortSignal.timeout(60_000)
  const response = await send(
    new Request(url, {
      headers: {
        accept: 'application/json',
        ...(source.token !== undefined && { authorization: `Bearer ${source.token}` }),
      },
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    }),
  )
  const { status } = response
  if (status !== 200) {
    await response.body?.cancel()
    const isBusy = status === 429 || status >= 500
    const Kind = isBusy ? SyncError : Final
    throw new Kind(`${source.url} answers with status ${status}`)
  }
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > mostBytes)
      throw new Final(`${source.url} answers with more than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  const page = readPage(parse(Buffer.concat(pieces).toString('utf8')))
  if (page === undefined)
    throw new SyncError(`${source.url} answers with something that is not a list of servers`)
  return page
}

/** Truncated answers are asked for again. */
function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function isWanted({ allow, deny = [] }: SyncSource, name: string): boolean {
  const fits = (pattern: string): boolean =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
  return (allow === undefined || allow.some(fits)) && !deny.some(fits)
}

function latest(times: readonly (string | undefined)[]): string | undefined {
  return times.reduce<string | undefined>(
    (best, time) => (time !== undefined && (best === undefined || time > best) ? time : best),
    undefined,
  )
}

const settingOf = ({ id }: SyncSource): string => `sync ${id}`

async function readProgress({ queries }: RegistryDatabase, source: SyncSource): Promise<Progress> {
  const row = await queries
    .selectFrom('registry_settings')
    .select('value')
    .where('key', '=', settingOf(source))
    .executeTakeFirst()
  return row === undefined ? {} : (JSON.parse(row.value) as Progress) // only we write it
}

async function keepProgress(
  { queries }: RegistryDatabase,
  source: SyncSource,
  progress: Progress,
): Promise<void> {
  const value = JSON.stringify(progress)
  await queries
    .insertInto('registry_settings')
    .values({ key: settingOf(source), value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
