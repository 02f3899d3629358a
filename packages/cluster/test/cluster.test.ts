import { beforeAll, describe } from 'vitest'

import { describeProcesses } from './cluster-cases.ts'
import { describeRotation } from './rotation-cases.ts'
import { stores } from './stores.ts'

for (const { name, isInstalled, address, create } of stores) {
  describe.skipIf(!isInstalled)(`two endpoints with a store between them: ${name}`, () => {
    let position: string
    beforeAll(async () => void (position = await address()))

    describeProcesses(() => create(position))
    describeRotation(() => create(position))
  })
}
