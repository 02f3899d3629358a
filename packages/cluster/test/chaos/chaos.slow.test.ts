import { afterAll, describe, expect, test } from 'vitest'

import { createWorlds, playScenario } from '../../chaos/play.mjs'
import { scenarios } from '../../chaos/scenarios/index.mjs'
import { findRedis, installRedis } from '../../src/testing/index.ts'

const hasRedis = findRedis() !== undefined
const title = 'a cluster of three processes on Redis keeps its failure contract'

/** One short round of each; `npm run chaos` has more. Times are targets there and nothing but limits for hangs here. */
describe.skipIf(!hasRedis)(hasRedis ? title : `${title}: needs ${installRedis}`, () => {
  const worlds = createWorlds()
  afterAll(async () => {
    await worlds.close()
  })

  test.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
    '%s',
    { timeout: 170_000 },
    async (_, scenario) => {
      const choice = { store: 'redis', rounds: 1, seed: 1, isQuick: true, patience: 40 } as const

      const { faults } = await playScenario(scenario, worlds, choice)

      expect(faults).toEqual([])
    },
  )
})
