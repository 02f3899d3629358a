/** The rows of the table: what runs our packages, and what looks at them. */

import { browser } from './browser.mjs'
import { jest, publint, typescript, types } from './inspections.mjs'
import { runtimes } from './runtimes.mjs'
import { workerd } from './workerd.mjs'

/**
 * What is done with the packages, in this order. A step that throws has failed.
 *
 * @typedef {Readonly<Partial<Record<StepName, (project: import('./project.mjs').Project) => Promise<unknown>>>>} Steps
 */

/** @typedef {'README' | 'HTTP' | 'require' | 'settings' | 'CLI' | 'servers' | 'packages'} StepName */

/** @type {readonly StepName[]} */
export const stepNames = ['README', 'HTTP', 'require', 'settings', 'CLI', 'servers', 'packages']

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {boolean} needsProject whether the packages have to be installed
 * @property {() => Promise<Steps>} start gets it from npm, and says what it can do
 */

/** @type {readonly Row[]} */
export const rows = [
  ...runtimes,
  workerd,
  browser,
  typescript('5.4'),
  typescript('5.9'),
  typescript('7.0'),
  jest,
  publint,
  types,
]
