/** What `npm run conformance` is told. */

import { parseArgs } from 'node:util'

export const usage = `npm run conformance -- [options] [scenario …]

  scenario    only these, by the names of the suite
  --list      the names, one in a line
  --cluster   the server as three processes with Redis, behind a balancer; its scenarios only
  --bridge    the server behind parley bridge, in both eras; its scenarios only
  --gateway   the same with parley gateway
  --write     put the results into docs/internals/conformance.md; needs all scenarios
  --help      this text
`

/**
 * @typedef {object} Told
 * @property {boolean} help
 * @property {boolean} list
 * @property {boolean} write
 * @property {boolean} cluster
 * @property {boolean} bridge
 * @property {boolean} gateway
 * @property {readonly string[]} scenarios none means all
 */

/** Something is wrong with what was typed: one line says what, and no stack is of use. */
export class UsageError extends Error {}

/**
 * @param {readonly string[]} args
 * @returns {Told}
 */
export function readArguments(args) {
  const { help, list, write, cluster, bridge, gateway, positionals } = parse(args)
  const between = Object.entries({ cluster, bridge, gateway }).filter(([, isPresent]) => isPresent)
  if (between.length > 1) {
    const names = between.map(([name]) => `--${name}`).join(' and ')
    throw new UsageError(`${names} are ${between.length === 2 ? 'two' : 'three'} runs`)
  }
  if (write && (between.length > 0 || positionals.length > 0)) {
    throw new UsageError('--write needs all scenarios')
  }
  return { help, list, write, cluster, bridge, gateway, scenarios: positionals }
}

/** @param {readonly string[]} args */
function parse(args) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false })
  const options = {
    help: flag,
    list: flag,
    write: flag,
    cluster: flag,
    bridge: flag,
    gateway: flag,
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    return { ...values, positionals }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Those that are asked for, or all.
 *
 * @template {{ readonly scenario: string }} Run
 * @param {readonly Run[]} planned
 * @param {readonly string[]} scenarios
 * @returns {readonly Run[]}
 */
export function chooseRuns(planned, scenarios) {
  if (scenarios.length === 0) return planned
  const unknown = scenarios.filter((name) => !planned.some(({ scenario }) => scenario === name))
  if (unknown.length > 0) {
    throw new UsageError(`no scenario is named ${unknown.join(', ')}; --list shows their names`)
  }
  return planned.filter(({ scenario }) => scenarios.includes(scenario))
}
