import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe } from 'vitest'

import {
  hasRedis,
  installRedis,
  startRedis,
  type TestRedis,
} from '../../../../test-support/redis-server.ts'
import { createRedisStore } from '../../src/redis/index.ts'
import { describeProcesses } from '../cluster-cases.ts'

const title = 'two endpoints with Redis between them'

describe.skipIf(!hasRedis)(hasRedis ? title : `${title}: needs ${installRedis}`, () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  describeProcesses(() => {
    const options = { url: server.url, prefix: `${randomUUID()}:`, timeoutMs: 20_000 }
    return () => createRedisStore(options)
  })
})
