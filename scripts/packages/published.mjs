/** The packages of this repository that are published, and the manifest a user gets with each. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { root } from '../source-files.mjs'
import { readWorkspaces } from '../workspaces.mjs'

/** The condition under which tests and the compiler find sources. They are not published, and neither is it. */
const sourceCondition = '@parley/source'

/** Fields that mean something in the repository only. */
const repositoryFields = new Set(['devDependencies', 'scripts'])

/** @typedef {Readonly<Record<string, any>>} Manifest a parsed `package.json` */

/**
 * @typedef {object} Published
 * @property {string} name
 * @property {string} folder relative to the root, with forward slashes
 * @property {string} directory
 * @property {Manifest} manifest as it is in the repository
 */

/**
 * @param {string} [from] the root of the repository
 * @returns {Published[]}
 */
export function readPublished(from = root) {
  return readWorkspaces(from)
    .map(({ name, folder }) => {
      const directory = join(from, folder)
      return { name, folder, directory, manifest: readManifest(directory) }
    })
    .filter(({ manifest }) => manifest['private'] !== true)
}

/** @param {string} directory @returns {Manifest} */
export function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}

/**
 * The manifest without what concerns the repository alone.
 *
 * @param {Manifest} manifest
 * @returns {Manifest}
 */
export function publishedManifest(manifest) {
  const kept = Object.entries(manifest).filter(
    ([field]) => !repositoryFields.has(field) && !(field === 'exports' && isProgram(manifest)),
  )
  return Object.fromEntries(
    kept.map(([field, value]) =>
      field === 'exports' || field === 'imports' ? [field, withoutSources(value)] : [field, value],
    ),
  )
}

/**
 * Only a program: what it exports has no types, and is for this repository.
 *
 * @param {Manifest} manifest
 */
export function isProgram({ bin, exports = {} }) {
  return bin !== undefined && Object.values(exports).every((entry) => entry.types === undefined)
}

/**
 * Every file that `exports`, `imports` and `bin` name.
 *
 * @param {Manifest} manifest
 * @returns {string[]}
 */
export function namedFiles({ exports, imports, bin }) {
  return [exports, imports, bin].flatMap(leaves)
}

/** @param {any} value @returns {any} */
function withoutSources(value) {
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([condition]) => condition !== sourceCondition)
  return Object.fromEntries(kept.map(([condition, target]) => [condition, withoutSources(target)]))
}

/** @param {unknown} value @returns {string[]} */
function leaves(value) {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}
