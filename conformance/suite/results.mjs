/** What the suite found, as it wrote it down. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {import('./plan.mjs').Run} Run */

/**
 * @typedef {object} Check
 * @property {string} id
 * @property {'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'} status
 * @property {string} [description]
 * @property {string} [errorMessage]
 */

/**
 * The checks of one run: it has a folder named for the scenario and the time it began.
 *
 * @param {string} folder where the suite was told to write
 * @param {Run} run
 * @returns {readonly Check[]} none if it wrote none
 */
export function readChecks(folder, { leg, scenario }) {
  if (!existsSync(folder)) return []
  const begin = `${leg === 'server' ? 'server-' : ''}${scenario}-`
  const found = readdirSync(folder).find(
    (name) => name.startsWith(begin) && /^\d{4}-\d\d-\d\dT/.test(name.slice(begin.length)),
  )
  const path = join(folder, found ?? '', 'checks.json')
  return found !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}
