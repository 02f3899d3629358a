import { afterAll, describe, test } from 'vitest'

import { createWorlds, playScenario } from '../../chaos/play.mjs'
import { scenarios } from '../../chaos/scenarios/index.mjs'
import { findRedis, installRedis } from '../../src/testing/index.ts'

const hasRedis = findRedis() !== undefined
const title = 'a cluster of three processes on Redis keeps its failure contract'

/** One short round of each; `npm run chaos` has more. Times are targets there and nothing but limits for hangs here. */
describe.skipIf(!hasRedis)(hasRedis ? title : `${title}: needs ${installRedis}`, () => {
  // Two at a time, each in a world of its own: they wait for leases to end, and break what others would need.
  const all = [createWorlds(), createWorlds()]
  const free = [...all]
  const waiting: (() => void)[] = []
  afterAll(async () => {
    await Promise.all(all.map((worlds) => worlds.close()))
  })

  test.concurrent.for(scenarios.map((scenario) => [scenario.title, scenario] as const))(
    '%s',
    { timeout: 600_000 },
    async ([, scenario], { expect }) => {
      const choice = { store: 'redis', rounds: 1, seed: 1, isQuick: true, patience: 40 } as const
      while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      const worlds = free.pop() ?? createWorlds()
      try {
        const { faults } = await playScenario(scenario, worlds, choice)

        expect(faults).toEqual([])
      } finally {
        free.push(worlds)
        waiting.shift()?.()
      }
    },
  )
})
