/** The packages of this repository and what each of them lets others import. */

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Workspace
 * @property {string} name
 * @property {string} folder relative to the root, with forward slashes
 * @property {readonly string[]} subpaths the keys of `exports`
 */

/**
 * Reads the workspaces of a root `package.json`; patterns are `folder` or `folder/*`.
 *
 * @param {string} root
 * @returns {Workspace[]}
 */
export function readWorkspaces(root) {
  const { workspaces = [] } = readJson(join(root, 'package.json'))
  const folders = workspaces.flatMap((/** @type {string} */ pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    if (!existsSync(join(root, parent))) return []
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`)
  })
  return folders
    .filter((/** @type {string} */ folder) => existsSync(join(root, folder, 'package.json')))
    .map((/** @type {string} */ folder) => {
      const { name, exports = {} } = readJson(join(root, folder, 'package.json'))
      return { name, folder, subpaths: typeof exports === 'string' ? ['.'] : Object.keys(exports) }
    })
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
