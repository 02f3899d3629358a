import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { hasPostgres, sharedPostgres } from '../../../test-support/postgres-server.ts'
import { isThorough } from '../../../test-support/thorough.ts'
import { openDatabase } from '../src/storage/open-database.ts'

type Kind = 'sqlite' | 'postgres'

/** The databases that are there, for tests of what their SQL does. */
export const everyKind: readonly Kind[] = hasPostgres ? ['sqlite', 'postgres'] : ['sqlite']

/** For tests of logic that does not know which database it has: one by day. `storage/walk.test.ts` takes all of it to both. */
export const kinds: readonly Kind[] = isThorough ? everyKind : ['sqlite']

/** Databases of one kind. */
export interface Databases extends AsyncDisposable {
  /** Address of one that has tables and no rows. */
  create(): Promise<string>
  /** Address of one without tables. */
  createEmpty(): Promise<string>
}

export async function openDatabases(kind: Kind): Promise<Databases> {
  if (kind === 'postgres') {
    return {
      create: () => sharedPostgres({ name: 'registry', fill }),
      createEmpty: () => sharedPostgres(),
      [Symbol.asyncDispose]: async () => undefined, // they go with their server
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'))
  let count = 0
  const createEmpty = async () => join(folder, `registry-${(count += 1)}.db`)
  return {
    create: createEmpty,
    createEmpty,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes the tables, as the first registry that opens a database does. */
async function fill(address: string): Promise<void> {
  const database = await openDatabase(address)
  await database[Symbol.asyncDispose]()
}
