/** The files that an import of an entry makes a runtime open, by what the built files say. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { parseSync } from 'oxc-parser'

import { shortPath } from './source-files.mjs'

/**
 * The built file itself and what it imports, and so on; not what it loads later, nor other packages.
 *
 * @param {string} dist
 * @param {string} file relative to `dist`
 * @returns {string[]} relative to `dist`
 */
export function loadedFiles(dist, file) {
  /** @type {Set<string>} */
  const loaded = new Set()
  const waiting = [join(dist, file)]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path)) continue
    if (!existsSync(path)) throw new Error(`${path} is not built: run npm run build`)
    loaded.add(path)
    waiting.push(...importedBy(path))
  }
  return [...loaded].map((path) => shortPath(path, dist))
}

/** @param {string} path */
function importedBy(path) {
  const { module } = parseSync(path, readFileSync(path, 'utf8'))
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  )
  const names = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...exported,
  ]
  return names.filter((name) => name.startsWith('.')).map((name) => join(dirname(path), name))
}
