import { beforeAll, describe } from 'vitest'

import { describeProcesses } from './cluster-cases.ts'
import { describeRotation } from './rotation-cases.ts'
import { stores } from './stores.ts'

for (const { name, isInstalled, address, create } of stores) {
  describe.skipIf(!isInstalled)(`two endpoints with a store between them: ${name}`, () => {
    let place: string
    beforeAll(async () => void (place = await address()))

    describeProcesses(() => create(place))
    describeRotation(() => create(place))
  })
}
