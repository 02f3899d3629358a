/** Finding the repository's own files; only Node's own modules, so that it runs before anything is installed. */

import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))

const skipped = new Set(['node_modules', 'dist', 'coverage', '.git', '.parley'])

/**
 * Every file below a directory, as absolute paths in a stable order; a missing directory has none.
 *
 * @param {string} directory
 * @returns {string[]}
 */
export function listFiles(directory) {
  const files = []
  for (const entry of readEntries(directory)) {
    if (skipped.has(entry.name)) continue
    const path = join(directory, entry.name)
    if (entry.isDirectory()) files.push(...listFiles(path))
    else files.push(path)
  }
  return files
}

/**
 * A path as people and reports write it: relative to the root, with forward slashes.
 *
 * @param {string} path
 * @param {string} [from]
 */
export function shortPath(path, from = root) {
  return relative(from, path).split(sep).join('/')
}

/** @param {string} directory */
function readEntries(directory) {
  try {
    return readdirSync(directory, { withFileTypes: true }).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )
  } catch {
    return [] // a folder that does not exist yet simply holds nothing
  }
}
