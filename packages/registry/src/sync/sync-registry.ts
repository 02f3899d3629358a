import { setTimeout as sleep } from 'node:timers/promises'

import { parseJson, errorMessage } from '@parley/mcp/json'
import { anySignal } from '@parley/mcp/signals'

import { createRegistryClient } from '../client/registry-client.ts'
import { documentHash, findIndexProblem, isIndex } from '../client/signed-index.ts'
import type { ServerDocument } from '../document/server-document.ts'
import { fetchRegistry } from '../network/fetch-registry.ts'
import type { RegistryDatabase } from '../storage/tables.ts'
import { mirrorEntries } from './mirror-entries.ts'
import { isWanted, type SyncOptions, type SyncReport, type SyncSource } from './options.ts'
import { readPage, type SourcePage } from './read-page.ts'

/** Rows that change while a run reads come again in the next one. */
const overlapMs = 5 * 60_000
const pageLimit = 100
const maxBytes = 64 * 1024 * 1024
const maxRejected = 100

/** Where a source has come to: kept after every page, so that a run that ends early goes on there. */
interface Progress {
  /** Everything up to this time was read. */
  readonly since?: string | undefined
  /** The page to go on with, of a run that began at this time of the source. */
  readonly cursor?: string | undefined
  /** The latest change that the run has seen so far. */
  readonly newest?: string | undefined
  /** When everything was read the last time, by our clock. */
  readonly fullAt?: string | undefined
}

/** The source does not answer as a registry does. */
export class SyncError extends Error {
  /** Always `SyncError`. */
  override readonly name = 'SyncError'
}

/**
 * Takes over what has changed at a source since the last run: all of it the first time. Rows are upserted by name and
 * version, so that a page that is read twice changes nothing. `local` are names that publishers of this registry may use.
 */
export async function syncRegistry(
  database: RegistryDatabase,
  options: SyncOptions,
  now: () => number,
  local: readonly string[] = [],
): Promise<SyncReport> {
  const { source, maxPages = 10_000, signal } = options
  const index = await readIndex(database, options)
  let progress = beginRun(await readProgress(database, source), options, now())
  const { fullAt = new Date(now()).toISOString() } = progress
  const seen = new Set<string>()
  let isWhole = true
  const report = { pages: 0, read: 0, changed: 0, filtered: 0, refused: [] as string[] }

  for (;;) {
    signal?.throwIfAborted()
    const page = await fetchPage(options, progress).catch(async (error: unknown) => {
      // A cursor that the source does not take would end every run here: the next one begins anew.
      if (error instanceof Final) await giveUpCursor(database, source, progress)
      throw error
    })
    const wanted = page.entries.filter(({ document }) => isWanted(source, document.name))
    const indexed = wanted.filter(({ document }) => index === undefined || index.has(document))
    isWhole &&= indexed.length === wanted.length
    const { changed, conflicts } = await mirrorEntries(database, { source, local }, indexed, now)
    report.pages += 1
    report.read += page.count
    report.changed += changed
    report.filtered += page.entries.length - wanted.length
    const unsigned = wanted.filter((candidate) => !indexed.includes(candidate))
    const reasons = [
      ...page.refused,
      ...unsigned.map(
        ({ document: { name, version } }) => `${name}@${version} is not what the index has`,
      ),
      ...conflicts,
    ]
    for (const why of reasons) {
      if (report.refused.length < maxRejected) report.refused.push(why)
    }
    const newest = latest([
      progress.newest,
      ...page.entries.map(({ official }) => official.updatedAt),
    ])
    const { nextCursor } = page
    if (nextCursor === undefined) {
      // What the index did not have yet is asked for again.
      const since = isWhole ? latest([progress.since, atMost(newest, now())]) : progress.since
      await keepProgress(database, source, since === undefined ? {} : { since, fullAt })
      return report
    }
    if (seen.has(nextCursor) || page.count === 0) {
      await giveUpCursor(database, source, progress)
      throw new SyncError(
        page.count === 0
          ? `${source.url} goes on after an empty page`
          : `${source.url} repeats the cursor ${nextCursor.slice(0, 100)}`,
      )
    }
    if (report.pages >= maxPages)
      throw new SyncError(`${source.url} has more than ${maxPages} pages`)
    seen.add(nextCursor)
    progress = { ...progress, cursor: nextCursor, newest }
    await keepProgress(database, source, progress)
  }
}

/** What the signed index of a source has; undefined where no key was given. Throws if it is not to be believed. */
async function readIndex(
  database: RegistryDatabase,
  { source, fetch: send }: SyncOptions,
): Promise<{ readonly has: (document: ServerDocument) => boolean } | undefined> {
  const { key, url, token } = source
  if (key === undefined) return undefined
  const index = await createRegistryClient({ url, token, fetch: send })
    .index()
    .catch((cause: unknown) => {
      const why = errorMessage(cause)
      throw new SyncError(`${url} has no signed index: ${why}`, { cause })
    })
  const problem = findIndexProblem(index, key)
  if (problem !== undefined || !isIndex(index)) {
    throw new SyncError(`the index of ${url} is not believed: ${problem}`)
  }
  const setting = `index ${source.id}`
  const seen = Number((await readSetting(database, setting)) ?? 0)
  if (index.sequence < seen) {
    throw new SyncError(`the index of ${url} is older than one that was read before`)
  }
  await keepSetting(database, setting, String(index.sequence))
  const hashes = new Map(
    index.entries.map(([name, version, , hash]) => [`${name}@${version}`, hash]),
  )
  return {
    has: (document) =>
      hashes.get(`${document.name}@${document.version}`) === documentHash(document),
  }
}

/** Everything is read the first time, and again after a while. A time of ours that is yet to come is no time to count from. */
function beginRun(
  progress: Progress,
  { fullEveryMs = 24 * 60 * 60_000 }: SyncOptions,
  now: number,
): Progress {
  const { cursor, fullAt } = progress
  if (cursor !== undefined) return progress // a run that was stopped goes on as it began
  const age = fullAt === undefined ? Infinity : now - Date.parse(fullAt)
  return age >= 0 && age < fullEveryMs ? progress : {}
}

/** The next run reads again what this one has; rows that are there already change nothing. */
async function giveUpCursor(
  database: RegistryDatabase,
  source: SyncSource,
  { since, fullAt }: Progress,
): Promise<void> {
  await keepProgress(database, source, since === undefined ? {} : { since, fullAt })
}

/** A change that is yet to come would hide all that happen until then. */
function atMost(time: string | undefined, now: number): string | undefined {
  const here = new Date(now).toISOString()
  return time === undefined || time < here ? time : here
}

async function fetchPage(options: SyncOptions, { since, cursor }: Progress): Promise<SourcePage> {
  const { source, maxAttempts = 5, pauseMs = 1_000, signal } = options
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
      if (attempt >= maxAttempts || error instanceof Final) throw error
      await sleep(pauseMs * 2 ** (attempt - 1), undefined, signal && { signal })
    }
  }
}

/** Asking again would not help. */
class Final extends SyncError {}

async function fetchOnce(
  url: string,
  { source, fetch: send, signal }: SyncOptions,
): Promise<SourcePage> {
  const timeout = AbortSignal.timeout(60_000)
  const response = await fetchRegistry(
    new Request(url, {
      headers: {
        accept: 'application/json',
        ...(source.token !== undefined && { authorization: `Bearer ${source.token}` }),
      },
      signal: anySignal(timeout, signal),
    }),
    send,
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
    if (bytes > maxBytes) throw new Final(`${source.url} answers with more than ${maxBytes} bytes`)
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

function latest(times: readonly (string | undefined)[]): string | undefined {
  return times.reduce<string | undefined>(
    (best, time) => (time !== undefined && (best === undefined || time > best) ? time : best),
    undefined,
  )
}

const settingOf = ({ id }: SyncSource): string => `sync ${id}`

async function readProgress(database: RegistryDatabase, source: SyncSource): Promise<Progress> {
  const value = await readSetting(database, settingOf(source))
  return value === undefined ? {} : (JSON.parse(value) as Progress) // only we write it
}

async function readSetting(
  { queries }: RegistryDatabase,
  key: string,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom('registry_settings')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value
}

async function keepSetting(
  { queries }: RegistryDatabase,
  key: string,
  value: string,
): Promise<void> {
  await queries
    .insertInto('registry_settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

async function keepProgress(
  database: RegistryDatabase,
  source: SyncSource,
  progress: Progress,
): Promise<void> {
  await keepSetting(database, settingOf(source), JSON.stringify(progress))
}
