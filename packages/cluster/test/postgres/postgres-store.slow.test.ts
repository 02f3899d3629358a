import { randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe, test } from 'vitest'

import {
  hasPostgres,
  installPostgres,
  startPostgres,
  type TestPostgres,
} from '../../../../test-support/postgres-server.ts'
import { createPostgresStore } from '../../src/postgres/index.ts'
import { storeContract } from '../../src/testing/index.ts'

const title = 'a store on PostgreSQL'

describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title}: needs ${installPostgres}`, () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  const cases = storeContract(async () => {
    const schema = `test_${randomBytes(8).toString('hex')}`
    const options = { connectionString: server.connectionString, schema, timeoutMs: 20_000 }
    return { first: createPostgresStore(options), second: createPostgresStore(options) }
  })
  for (const { name, run } of cases) test(name, run)
})
