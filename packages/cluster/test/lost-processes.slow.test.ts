import { beforeAll, describe } from 'vitest'

import { describeLostProcesses } from './lost-process-cases.ts'
import { newName, redis, sharedStores } from './stores.ts'

for (const store of sharedStores) {
  describe.skipIf(!store.isInstalled)(`processes with a store between them: ${store.name}`, () => {
    let address: string
    beforeAll(async () => void (address = await store.address()))

    const engine = store === redis ? 'redis' : 'postgres'
    describeLostProcesses(() => ({ engine, address, names: newName() }))
  })
}
