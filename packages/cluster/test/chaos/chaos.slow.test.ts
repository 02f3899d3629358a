import { findRedis } from '@parley/cluster/testing'
import { afterAll, describe, test } from 'vitest'

import { isThorough } from '../../../../test-support/thorough.ts'
import { createWorlds, playScenario } from '../../chaos/play.mjs'
import { scenarios } from '../../chaos/scenarios/index.mjs'

const hasRedis = findRedis() !== undefined
/** By day one fault of each kind: a process killed, one stopped, one cut off from the store, the store itself gone. */
const ofTheDay = new Set(['kill-running', 'pause', 'partition', 'store-outage'])
const chosen = scenarios.filter(({ name }) => isThorough || ofTheDay.has(name))

/** One short round of each; `npm run chaos` has more. Times are targets there and nothing but limits for hangs here. */
describe.skipIf(!hasRedis)(
  'a cluster of three processes on Redis keeps its failure contract',
  () => {
    // Two at a time, each in a world of its own: they wait for leases to end, and break what others would need.
    const all = [createWorlds(), createWorlds()]
    const free = [...all]
    const waiting: (() => void)[] = []
    afterAll(async () => {
      await Promise.all(all.map((worlds) => worlds.close()))
    })

    test.concurrent.for(chosen.map((scenario) => [scenario.title, scenario] as const))(
      '%s',
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
  },
)
