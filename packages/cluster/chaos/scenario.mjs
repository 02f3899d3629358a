/** What every scenario is. */

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').WorldOptions} WorldOptions */
/** @typedef {import('./random.mjs').Random} Random */

/**
 * @typedef {object} Round
 * @property {Random} random
 * @property {number} number from 0
 * @property {boolean} isQuick fewer and shorter, for continuous integration
 * @property {(ms: number) => number} limit a time that is a target, made longer on a machine that does other work
 */

/**
 * @typedef {object} Outcome
 * @property {string[]} faults what breaks the contract
 * @property {Record<string, readonly number[]>} figures what was measured
 * @property {readonly string[]} [notes] what is within the target and still worth a look
 */

/**
 * @typedef {object} Scenario
 * @property {string} name for `--only`
 * @property {string} title
 * @property {string} target
 * @property {readonly ('redis' | 'postgres')[]} stores
 * @property {WorldOptions} [world]
 * @property {boolean} [isFresh] each round has a world of its own, for one that a round changes for good
 * @property {(world: World, round: Round) => Promise<Outcome>} run one round on a world that is whole
 * @property {(figures: Record<string, readonly number[]>) => string} describe all rounds together
 */

/** @param {readonly number[] | undefined} values @param {number} share */
export function percentile(values = [], share = 0.99) {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** @param {readonly number[] | undefined} values */
export function total(values = []) {
  return values.reduce((sum, value) => sum + value, 0)
}

/** @param {number} value */
export function ms(value) {
  return Number.isNaN(value) ? '–' : `${Math.round(value).toLocaleString('en-US')} ms`
}
