import { storeContract } from '@parley/cluster/testing'
import { beforeAll, describe, test } from 'vitest'

import { memory, postgres, redis } from './stores.ts'

for (const { name: store, isInstalled, address, create } of [memory, redis, postgres]) {
  describe.skipIf(!isInstalled)(`the contract of stores: ${store}`, () => {
    let position: string
    beforeAll(async () => void (position = await address()))

    const cases = storeContract(async () => {
      const open = create(position)
      return { first: open(), second: open() }
    })
    for (const { name, run } of cases) test(name, run)
  })
}
