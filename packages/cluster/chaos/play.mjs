/** Plays scenarios, round after round, and gathers what they saw. */

import { createRandom } from './random.mjs'
import { openWorld } from './world.mjs'

/** @typedef {import('./scenario.mjs').Scenario} Scenario */
/** @typedef {import('./world.mjs').World} World */

/**
 * @typedef {object} Choice
 * @property {'redis' | 'postgres'} store
 * @property {number} rounds
 * @property {number} [nodes] server processes; 3 if it is left out
 * @property {number} seed of the first round; the next ones count on
 * @property {boolean} isQuick
 * @property {number} patience how many times longer than their targets things may take
 * @property {(text: string) => void} [onProgress]
 */

/**
 * @typedef {object} Verdict
 * @property {Scenario} scenario
 * @property {number} rounds
 * @property {string} seen
 * @property {readonly { seed: number, fault: string }[]} faults
 * @property {readonly string[]} notes
 * @property {number} seconds
 */

/** A world for each kind that scenarios need, opened once and kept while nothing in it fails. */
export function createWorlds() {
  /** @type {Map<string, Promise<World>>} */
  const open = new Map()
  return {
    /** @param {import('./world.mjs').WorldOptions} options */
    get(options) {
      const key = JSON.stringify(options)
      const world = open.get(key) ?? openWorld(options)
      open.set(key, world)
      return world
    },
    /** @param {import('./world.mjs').WorldOptions} options */
    async discard(options) {
      const key = JSON.stringify(options)
      const world = open.get(key)
      open.delete(key)
      await world?.then(({ close }) => close()).catch(() => undefined)
    },
    async close() {
      await Promise.all(
        [...open.values()].map((world) =>
          world.then(({ close }) => close()).catch(() => undefined),
        ),
      )
    },
  }
}

/**
 * @param {Scenario} scenario
 * @param {ReturnType<typeof createWorlds>} worlds
 * @param {Choice} choice
 * @returns {Promise<Verdict>}
 */
export async function playScenario(
  scenario,
  worlds,
  { store, rounds, nodes = 3, seed, isQuick, patience, onProgress },
) {
  const startedAt = performance.now()
  const options = { store, processes: nodes, ...scenario.world }
  /** @type {{ seed: number, fault: string }[]} */
  const faults = []
  /** @type {Record<string, number[]>} */
  const figures = {}
  /** @type {string[]} */
  const notes = []
  for (let number = 0; number < rounds; number += 1) {
    onProgress?.(`${scenario.name} ${number + 1}/${rounds}`)
    const roundSeed = seed + number
    try {
      const world = await worlds.get(options)
      await world.heal()
      const random = createRandom(roundSeed)
      const outcome = await scenario.run(world, {
        random,
        number: roundSeed,
        isQuick,
        limit: (ms) => ms * patience,
      })
      faults.push(...outcome.faults.map((fault) => ({ seed: roundSeed, fault })))
      notes.push(...(outcome.notes ?? []))
      for (const [name, values] of Object.entries(outcome.figures)) {
        figures[name] = [...(figures[name] ?? []), ...values]
      }
      if (scenario.isFresh) await worlds.discard(options)
    } catch (error) {
      faults.push({
        seed: roundSeed,
        fault: error instanceof Error ? error.message : String(error),
      })
      await worlds.discard(options)
    }
  }
  const seconds = (performance.now() - startedAt) / 1_000
  return { scenario, rounds, seen: scenario.describe(figures), faults, notes, seconds }
}
