/** Says whether files are what something was made from. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * Changes with the paths, the contents and the order of files.
 *
 * @param {readonly string[]} paths
 * @param {string} [maker] what made something from them, with its version
 * @returns {string}
 */
export function hashFiles(paths, maker = '') {
  const hash = createHash('sha256').update(maker)
  for (const path of paths) hash.update(`\0${path}\0`).update(readFileSync(path))
  return hash.digest('hex')
}
