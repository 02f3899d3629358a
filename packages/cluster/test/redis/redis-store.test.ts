import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe, test } from 'vitest'

import {
  hasRedis,
  installRedis,
  startRedis,
  type TestRedis,
} from '../../../../test-support/redis-server.ts'
import { createRedisStore } from '../../src/redis/index.ts'
import { storeContract } from '../../src/testing/index.ts'

const title = 'a store on Redis'

describe.skipIf(!hasRedis)(hasRedis ? title : `${title}: needs ${installRedis}`, () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  const cases = storeContract(async () => {
    const options = { url: server.url, prefix: `${randomUUID()}:`, timeoutMs: 20_000 }
    return { first: createRedisStore(options), second: createRedisStore(options) }
  })
  for (const { name, run } of cases) test(name, run)
})
