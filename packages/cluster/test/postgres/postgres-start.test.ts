import { StoreUnavailable } from '@parley/cluster'
import { createPostgresClusterStore } from '@parley/cluster/postgres'
import { describe, expect, onTestFinished, test } from 'vitest'

import { findFreePort } from '../../../../test-support/free-port.ts'
import { hasPostgres, sharedPostgres } from '../../../../test-support/postgres-server.ts'

async function failure(connectionString: string): Promise<unknown> {
  const store = createPostgresClusterStore({ connectionString })
  onTestFinished(() => store.close())
  return store.start().catch((error: unknown) => error)
}

describe('a start on PostgreSQL says place, cause and cure', () => {
  test('where nothing listens, which may change', async () => {
    const port = await findFreePort()
    const error = await failure(`postgres://user:secret@127.0.0.1:${port}/parley`)

    expect(String(error)).toMatch(
      new RegExp(`PostgreSQL at 127\\.0\\.0\\.1:${port}: .*ECONNREFUSED.*: nothing listens there`),
    )
    expect(String(error)).not.toContain('secret')
    expect(error).toBeInstanceOf(StoreUnavailable)
  })

  test.skipIf(!hasPostgres)('where there is no such database', async () => {
    const url = new URL(await sharedPostgres())
    url.pathname = '/no_such_database'
    const error = await failure(url.href)

    expect(String(error)).toMatch(/database "no_such_database" does not exist: create the database/)
    expect(error).not.toBeInstanceOf(StoreUnavailable)
  })

  test('of an address that is none', () => {
    expect(() => createPostgresClusterStore({ connectionString: 'http://127.0.0.1:5432' })).toThrow(
      '`connectionString` begins with http://, which is not an address of PostgreSQL: write postgres://',
    )
  })
})
