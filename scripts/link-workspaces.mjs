/** A package of this repository that came with a pull is found by the others without another `npm install`. */

import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import { readWorkspaces } from './workspaces.mjs'

/**
 * Links each workspace that `node_modules` does not have yet; returns their names.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function linkWorkspaces(root) {
  if (!existsSync(join(root, 'node_modules'))) return [] // installing links them all
  const missing = readWorkspaces(root).filter(({ name }) => !existsSync(linkOf(root, name)))
  for (const { name, folder } of missing) {
    const link = linkOf(root, name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(relative(dirname(link), join(root, folder)), link, 'junction')
  }
  return missing.map(({ name }) => name)
}

/** @param {string} root @param {string} name */
function linkOf(root, name) {
  return join(root, 'node_modules', name)
}
