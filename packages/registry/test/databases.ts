import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import {
  hasPostgres,
  startPostgres,
  type TestPostgres,
} from '../../../test-support/postgres-server.ts'

/** The databases that are there. */
export const kinds: readonly ('sqlite' | 'postgres')[] = hasPostgres
  ? ['sqlite', 'postgres']
  : ['sqlite']

/** Empty databases of one kind. */
export interface Databases extends AsyncDisposable {
  /** Address of one that nobody has used. */
  create(): Promise<string>
  readonly postgres: TestPostgres | undefined
}

export async function openDatabases(kind: 'sqlite' | 'postgres'): Promise<Databases> {
  let count = 0
  if (kind === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'))
    return {
      postgres: undefined,
      create: async () => join(folder, `registry-${(count += 1)}.db`),
      async [Symbol.asyncDispose]() {
        rmSync(folder, { recursive: true, force: true })
      },
    }
  }
  const server = await startPostgres()
  return {
    postgres: server,
    async create() {
      const name = `registry_${(count += 1)}`
      const client = new Client({ connectionString: server.connectionString })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return server.connectionString.replace(/\/postgres$/, `/${name}`)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
