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
 * Where the results of a run go: each release, leg and revision has a folder.
 *
 * @param {string} root
 * @param {Pick<Run, 'release' | 'leg' | 'revision'>} run
 */
export function resultsFolder(root, { release, leg, revision }) {
  return join(root, release, leg, revision)
}

/**
 * The checks of one run: it has a folder named for the scenario and the time it began.
 *
 * @param {string} root
 * @param {Run} run
 * @returns {readonly Check[]} none if it wrote none
 */
export function readChecks(root, run) {
  const folder = resultsFolder(root, run)
  if (!existsSync(folder)) return []
  // A name with a slash is a folder in a folder.
  const parts = `${run.leg === 'server' ? 'server-' : ''}${run.scenario}-`.split('/')
  const begin = parts.pop() ?? ''
  const inside = join(folder, ...parts)
  const found = existsSync(inside)
    ? readdirSync(inside).find(
        (name) => name.startsWith(begin) && /^\d{4}-\d\d-\d\dT/.test(name.slice(begin.length)),
      )
    : undefined
  const path = join(inside, found ?? '', 'checks.json')
  return found !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}
