/** The declarations that a package's entries lead to; the others describe its inside and are not published. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Removes the declarations that no entry leads to, and indents the others by tabs: a thirtieth of their bytes.
 *
 * @param {string} directory of the package
 * @returns {string[]} those that an entry leads to and that are missing, for the compiler to write again
 */
export function keepPublicTypes(directory) {
  const dist = join(directory, 'dist')
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  /** @type {Set<string>} */
  const kept = new Set()
  const waiting = Object.values(exports).map(({ types }) => join(directory, types))
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (kept.has(path)) continue
    kept.add(path)
    if (existsSync(path)) waiting.push(...importedBy(path))
  }

  const missing = [...kept].filter((path) => !existsSync(path))
  if (missing.length > 0) return missing
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, file)
    if (!path.endsWith('.d.ts')) continue
    if (kept.has(path)) indentByTabs(path)
    else rmSync(path)
  }
  return []
}

/** @param {string} path */
function importedBy(path) {
  const names = readFileSync(path, 'utf8').matchAll(/(?:from|import\(|import) ?['"](\.[^'"]+)['"]/g)
  return [...names].map(([, name = '']) => join(dirname(path), name.replace(/\.(ts|js)$/, '.d.ts')))
}

/** @param {string} path */
function indentByTabs(path) {
  const text = readFileSync(path, 'utf8')
  const shorter = text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
  if (shorter !== text) writeFileSync(path, shorter)
}
