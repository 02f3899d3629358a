import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

import { parseJson } from '@parley/mcp/json'

import type { ServerResponse } from '../document/server-document.ts'
import type { RegistryDatabase } from '../storage/tables.ts'
import { mirrorEntries } from './mirror-entries.ts'
import { isWanted, type SyncReport, type SyncSource } from './options.ts'
import { readPage } from './read-page.ts'

/** A snapshot, and whose it is. */
export interface ImportOptions {
  /** `x/snapshot.ndjson` of an export: one page of a list on each line. */
  readonly file: string
  /** What the mirror calls the registry it is of, and what of it is taken. */
  readonly source: Pick<SyncSource, 'id' | 'allow' | 'deny'>
}

const maxRejected = 100

/**
 * Takes over a snapshot, as `sync` would take over the registry it was made of: for places without a network. Nothing of
 * it is believed. What was taken over stays if the file ends early, and taking it over again changes nothing.
 */
export async function importSnapshot(
  database: RegistryDatabase,
  { file, source }: ImportOptions,
  now: () => number,
  local: readonly string[] = [],
): Promise<SyncReport> {
  const report = { pages: 0, read: 0, changed: 0, filtered: 0, refused: [] as string[] }
  const reject = (why: string) => {
    if (report.refused.length < maxRejected) report.refused.push(why)
  }
  for await (const line of linesOf(file)) {
    report.pages += 1
    const page = readPage(parse(line))
    if (page === undefined) {
      reject(`line ${report.pages} is not a list of servers`)
      continue
    }
    const matching = page.entries.filter(({ document }) => isWanted(source, document.name))
    const { changed, conflicts } = await mirrorEntries(database, { source, local }, matching, now)
    report.read += page.count
    report.changed += changed
    report.filtered += page.entries.length - matching.length
    for (const why of page.refused) reject(why)
    for (const why of conflicts) reject(why)
  }
  return report
}

/** All versions of a snapshot that can be taken over, for whoever compares them with an index. */
export async function* listSnapshot(file: string): AsyncGenerator<ServerResponse> {
  for await (const line of linesOf(file)) {
    for (const { document } of readPage(parse(line))?.entries ?? []) {
      yield { server: document, _meta: {} }
    }
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  for await (const line of lines) if (line.trim() !== '') yield line
}

function parse(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}
