import { randomBytes } from 'node:crypto'

import { afterAll, beforeAll, describe } from 'vitest'

import {
  hasRedis,
  installRedis,
  startRedis,
  type TestRedis,
} from '../../../../test-support/redis-server.ts'
import { describeLostProcesses } from '../lost-process-cases.ts'

const title = 'processes with Redis between them'

describe.skipIf(!hasRedis)(hasRedis ? title : `${title}: needs ${installRedis}`, () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  describeLostProcesses(() => ({
    engine: 'redis',
    address: server.url,
    names: `test_${randomBytes(8).toString('hex')}`,
  }))
})
