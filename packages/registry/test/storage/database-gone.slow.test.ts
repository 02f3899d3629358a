import { createRegistry } from '@parley/registry'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { hasPostgres, ownPostgres } from '../../../../test-support/postgres-server.ts'
import { openDatabase } from '../../src/storage/open-database.ts'

test.skipIf(!hasPostgres)(
  'a database that goes away is said so, and the registry goes on when it is back',
  async () => {
    await using postgres = await ownPostgres()
    await using registry = await createRegistry({
      database: postgres.connectionString,
      onError: () => undefined,
    })
    const list = async (): Promise<number> => {
      const response = await registry.fetch(new Request('http://localhost/v0.1/servers'))
      return response.status
    }
    expect(await list()).toBe(200)

    await postgres.kill()
    expect(await list()).toBe(503)
    await postgres.start()

    await expect.poll(list).toBe(200)
  },
)

test.skipIf(!hasPostgres)(
  'a server that is killed between two statements ends the transaction alone',
  async () => {
    await using postgres = await ownPostgres()
    await using database = await openDatabase(postgres.connectionString)

    const writing = database.queries.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction)
      await postgres.kill()
      await new Promise((resolve) => setTimeout(resolve, 50)) // the connection breaks while nothing runs on it
      await sql`select 2`.execute(transaction)
    })

    await expect(writing).rejects.toThrow()
    await postgres.start()
    await expect
      .poll(() => sql`select 3 as three`.execute(database.queries).catch(() => undefined))
      .toMatchObject({ rows: [{ three: 3 }] })
  },
)
