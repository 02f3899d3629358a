import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'

import { entryJson, listJson } from '../api/entry-json.ts'
import type { PublisherKey } from '../client/publisher-key.ts'
import { stranger } from '../curation/visibility.ts'
import { isListed, type StoredEntry } from '../storage/entry.ts'
import { findVersions } from '../storage/find-entries.ts'
import { listEntries, type Position } from '../storage/list-entries.ts'
import type { RegistryDatabase } from '../storage/tables.ts'
import { createIndex } from './create-index.ts'

/** What was written. */
export interface StaticExport {
  /** How many servers there are. */
  readonly servers: number
  /** How many files were written. */
  readonly files: number
}

const pageSize = 100

/**
 * Writes the registry as plain files that any web server can serve, below `v0.1`: all versions in `servers`, and those of one
 * server, and each of them, where the API has them. Filters do not work then, and the list has one page. A version that
 * is no file name is in the lists only. `x/snapshot.ndjson` has everything for a mirror, deleted versions too, and with a
 * key `x/index.json` is signed. Private entries are left out.
 */
export async function exportStatic(
  database: RegistryDatabase,
  folder: string,
  { key, now }: { readonly key?: PublisherKey | undefined; readonly now: () => number },
): Promise<StaticExport> {
  const root = join(folder, 'v0.1')
  await rm(root, { recursive: true, force: true })
  await mkdir(join(root, 'servers'), { recursive: true })
  await mkdir(join(root, 'x'), { recursive: true })
  let files = 0
  const write = async (path: string, text: string) => {
    files += 1
    await writeFile(join(root, path), text)
  }
  const names = await writeLists(database, root)
  files += 2
  for (const name of names) {
    const entries = await findVersions(database.queries, name, false, stranger)
    // A web server decodes the slash of a name, and finds these folders.
    const versions = join('servers', name, 'versions')
    await mkdir(join(root, versions), { recursive: true })
    await write(join(versions, 'index.json'), listJson(entries, { count: entries.length }))
    for (const entry of entries) {
      const isFileName = /^[\w][\w.+~-]*$/.test(entry.version)
      if (isFileName) await write(join(versions, `${entry.version}.json`), entryJson(entry))
      if (entry.isLatest) await write(join(versions, 'latest.json'), entryJson(entry))
    }
  }
  if (key !== undefined) {
    await write('x/index.json', JSON.stringify(await createIndex(database, key, now)))
  }
  return { servers: names.size, files }
}

/** The list and the snapshot, page by page: neither is ever whole in memory. */
async function writeLists(database: RegistryDatabase, root: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  const list = createWriteStream(join(root, 'servers/index.json'))
  const snapshot = createWriteStream(join(root, 'x/snapshot.ndjson'))
  let count = 0
  let after: Position | undefined
  await put(list, '{"servers":[')
  for (;;) {
    const page = await listEntries(database, { after, limit: pageSize, includeDeleted: true })
    const listed = page.entries.filter((entry: StoredEntry) => isListed(entry))
    for (const { name } of listed) names.add(name)
    const separator = count > 0 && listed.length > 0 ? ',' : ''
    await put(list, separator + listed.map(entryJson).join(','))
    if (page.entries.length > 0) {
      await put(snapshot, `${listJson(page.entries, { count: page.entries.length })}\n`)
    }
    count += listed.length
    after = page.entries.at(-1)
    if (!page.hasMore) break
  }
  await put(list, `],"metadata":${JSON.stringify({ count })}}`)
  for (const stream of [list, snapshot]) {
    stream.end()
    await finished(stream)
  }
  return names
}

function put(stream: WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
