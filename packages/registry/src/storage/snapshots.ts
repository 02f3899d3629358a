import type { SnapshotTool, ToolSnapshot } from '../client/tool-snapshot.ts'
import type { Queries, RegistryDatabase } from './tables.ts'
import { write } from './write.ts'

/** The tools of a version, and who saw them. */
export interface StoredSnapshot extends ToolSnapshot {
  readonly version: string
  readonly author: string
  readonly at: string
}

/** Versions of one name whose tools are compared. */
const most = 100

/** Of all versions of a name, the last seen first. */
export async function readSnapshots(
  queries: Queries,
  name: string,
): Promise<readonly StoredSnapshot[]> {
  const rows = await queries
    .selectFrom('server_snapshots')
    .select(['version', 'hash', 'tools', 'author', 'at'])
    .where('name', '=', name)
    .orderBy('at', 'desc')
    .limit(most)
    .execute()
  return rows.map(readRow)
}

/** Keeps what was seen last. Resolves with what was there before, if that was something else. */
export async function keepSnapshot(
  database: RegistryDatabase,
  snapshot: Omit<StoredSnapshot, 'at'> & { readonly name: string },
  now: () => number,
): Promise<StoredSnapshot | undefined> {
  const { name, version, hash, tools, author } = snapshot
  const row = { hash, tools: JSON.stringify(tools), author, at: new Date(now()).toISOString() }
  return write(database, async (writing) => {
    await database.flavour.lock(writing, [`name:${name}`])
    const before = await writing
      .selectFrom('server_snapshots')
      .select(['version', 'hash', 'tools', 'author', 'at'])
      .where('name', '=', name)
      .where('version', '=', version)
      .executeTakeFirst()
    await writing
      .insertInto('server_snapshots')
      .values({ name, version, ...row })
      .onConflict((conflict) => conflict.columns(['name', 'version']).doUpdateSet(row))
      .execute()
    return before === undefined || before.hash === hash ? undefined : readRow(before)
  })
}

function readRow(row: {
  readonly version: string
  readonly hash: string
  readonly tools: string
  readonly author: string
  readonly at: string
}): StoredSnapshot {
  return { ...row, tools: JSON.parse(row.tools) as readonly SnapshotTool[] } // as it was stored
}
