/** What `npm run chaos` is told. */

import { parseArgs } from 'node:util'

import { scenarios } from './scenarios/index.mjs'

export const usage = `npm run chaos -- [options]

Starts a store, three server processes and a balancer, breaks them in every way the failure contract names, and
compares what clients saw with the log.

  --rounds N     of each scenario (default 3)
  --only NAME    this scenario; again for more
  --store NAME   redis (default) or postgres, which runs the first six
  --nodes N      server processes (default 3), where a scenario does not say how many it needs
  --seed N       of the first round, to see a failure again (default: another each time)
  --quick        fewer clients and shorter times
  --patience N   times may be N times as long as their targets, on a machine that does other work (default 1)
  --list         the scenarios with their targets
  --help         this text
`

/** One line says what is wrong, and no stack is of use. */
export class UsageError extends Error {}

/**
 * @typedef {object} Told
 * @property {boolean} help
 * @property {boolean} list
 * @property {boolean} isQuick
 * @property {'redis' | 'postgres'} store
 * @property {readonly import('./scenario.mjs').Scenario[]} scenarios
 * @property {number} rounds
 * @property {number} nodes
 * @property {number} patience
 * @property {number} seed
 */

/** @param {readonly string[]} args @returns {Told} */
export function readArguments(args) {
  const values = parse(args)
  const { store, only, help, list, quick } = values
  if (store !== 'redis' && store !== 'postgres')
    throw new UsageError(`--store ${store} is unknown: use redis or postgres`)
  const unknown = only.find((name) => !scenarios.some((scenario) => scenario.name === name))
  if (unknown !== undefined) {
    throw new UsageError(
      `no scenario is named ${unknown}: use ${scenarios.map(({ name }) => name).join(', ')}`,
    )
  }
  const chosen = scenarios.filter(({ name, stores }) => {
    return only.length === 0 ? stores.includes(store) : only.includes(name)
  })
  const cannot = chosen.find(({ stores }) => !stores.includes(store))
  if (cannot !== undefined)
    throw new UsageError(`${cannot.name} needs --store ${cannot.stores.join(' or ')}`)
  return {
    help,
    list,
    isQuick: quick,
    store,
    scenarios: chosen,
    rounds: readCount('--rounds', values.rounds),
    nodes: readCount('--nodes', values.nodes),
    patience: readCount('--patience', values.patience),
    seed:
      values.seed === undefined
        ? Math.floor(Math.random() * 1e6)
        : readCount('--seed', values.seed),
  }
}

/** @param {readonly string[]} args */
function parse(args) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false })
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string', default: '3' },
        nodes: { type: 'string', default: '3' },
        only: { type: 'string', multiple: true, default: [] },
        store: { type: 'string', default: 'redis' },
        seed: { type: 'string' },
        patience: { type: 'string', default: '1' },
        quick: flag,
        list: flag,
        help: flag,
      },
    })
    return values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** @param {string} name @param {string} text */
function readCount(name, text) {
  if (/^\d+$/.test(text) && Number(text) >= 1) return Number(text)
  throw new UsageError(`${name} ${text} is not a whole number of at least 1`)
}
