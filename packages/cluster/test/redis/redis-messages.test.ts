import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe } from 'vitest'

import {
  hasRedis,
  installRedis,
  startRedis,
  type TestRedis,
} from '../../../../test-support/redis-server.ts'
import { createRedisStore } from '../../src/redis/index.ts'
import { describeMessages } from '../stored-message-cases.ts'

const title = 'messages between processes, over Redis'

describe.skipIf(!hasRedis)(hasRedis ? title : `${title}: needs ${installRedis}`, () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  describeMessages(() => {
    const options = { url: server.url, prefix: `${randomUUID()}:`, timeoutMs: 20_000 }
    return () => createRedisStore(options)
  })
})
