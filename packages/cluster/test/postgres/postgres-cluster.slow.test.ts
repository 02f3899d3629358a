import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe } from 'vitest'

import {
  hasPostgres,
  installPostgres,
  startPostgres,
  type TestPostgres,
} from '../../../../test-support/postgres-server.ts'
import { createPostgresStore } from '../../src/postgres/index.ts'
import { describeProcesses } from '../cluster-cases.ts'

const title = 'two endpoints with PostgreSQL between them'

describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title}: needs ${installPostgres}`, () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  describeProcesses(() => {
    const options = {
      connectionString: server.connectionString,
      schema: `p${randomUUID().replaceAll('-', '')}`,
      timeoutMs: 20_000,
    }
    return () => createPostgresStore(options)
  })
})
