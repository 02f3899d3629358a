import { createRedisClusterStore } from '@parley/cluster/redis'
import { beforeAll, describe } from 'vitest'

import { hasRedis, sharedRedis } from '../../../../test-support/redis-server.ts'
import { describeProcesses } from '../cluster-cases.ts'
import { createPreviousRedisStore } from '../fixtures/redis-format-1.mjs'
import { newName } from '../stores.ts'

describe.skipIf(!hasRedis)(
  'a process of the version before beside one of this version, on Redis',
  () => {
    let url: string
    beforeAll(async () => void (url = await sharedRedis()))

    describeProcesses(() => {
      const prefix = `${newName()}:`
      let opened = 0
      return () => {
        opened += 1
        return opened % 2 === 1
          ? createPreviousRedisStore(url, prefix)
          : createRedisClusterStore({ url, prefix, timeoutMs: 20_000 })
      }
    })
  },
)
