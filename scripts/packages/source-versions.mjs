/** Sources that say which version they are: a server to its clients, a command to `--version`. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { listFiles, shortPath } from '../source-files.mjs'

/**
 * Lets the sources of a package say its new version where they said the old one. Some servers say that of the reference
 * server whose place they take; these stay.
 *
 * @param {string} directory of the package
 * @param {{ before: string, after: string }} versions
 */
export function replaceSourceVersions(directory, { before, after }) {
  for (const path of listFiles(join(directory, 'src'))) {
    if (!path.endsWith('.ts') || isTemplate(path)) continue
    const text = readFileSync(path, 'utf8')
    const replaced = ['version: ', 'version = '].reduce(
      (so, word) => so.replaceAll(`${word}'${before}'`, `${word}'${after}'`),
      text,
    )
    if (replaced !== text) writeFileSync(path, replaced)
  }
}

/** `parley init` writes projects of others, which have versions of their own. @param {string} path */
function isTemplate(path) {
  return shortPath(path).includes('/init/')
}
