import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { entryJson, listJson } from '../api/entry-json.ts'
import { findVersions } from '../storage/find-entries.ts'
import { listEntries, type Position } from '../storage/list-entries.ts'
import type { RegistryDatabase } from '../storage/tables.ts'

/** What was written. */
export interface StaticExport {
  readonly servers: number
  readonly files: number
}

const pageSize = 100

/**
 * Writes the registry as plain files that any web server can serve, below `v0.1`: all versions in `servers`, and those of one
 * server, and each of them, where the API has them. Filters do not work then, and the list has one page. A version that
 * is no file name is in the lists only.
 */
export async function exportStatic(
  database: RegistryDatabase,
  folder: string,
): Promise<StaticExport> {
  const root = join(folder, 'v0.1')
  await rm(root, { recursive: true, force: true })
  await mkdir(join(root, 'servers'), { recursive: true })
  const names = new Set<string>()
  const all: string[] = []
  let files = 0
  let after: Position | undefined
  const write = async (path: string, text: string) => {
    files += 1
    await writeFile(join(root, path), text)
  }
  for (;;) {
    const page = await listEntries(database, { after, limit: pageSize, includeDeleted: false })
    for (const { name } of page.entries) names.add(name)
    all.push(...page.entries.map(entryJson))
    after = page.entries.at(-1)
    if (!page.hasMore) break
  }
  for (const name of names) {
    const entries = await findVersions(database.queries, name, false)
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
  const metadata = JSON.stringify({ count: all.length })
  await write('servers/index.json', `{"servers":[${all.join(',')}],"metadata":${metadata}}`)
  return { servers: names.size, files }
}
