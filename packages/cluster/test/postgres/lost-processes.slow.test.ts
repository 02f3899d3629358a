import { randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe } from 'vitest'

import {
  hasPostgres,
  installPostgres,
  startPostgres,
  type TestPostgres,
} from '../../../../test-support/postgres-server.ts'
import { describeLostProcesses } from '../lost-process-cases.ts'

const title = 'processes with PostgreSQL between them'

describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title}: needs ${installPostgres}`, () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  describeLostProcesses(() => ({
    engine: 'postgres',
    address: server.connectionString,
    names: `test_${randomBytes(8).toString('hex')}`,
  }))
})
