/** The declarations that a package's entries lead to; the others describe its inside and are not published. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Removes the declarations that no entry leads to. The others are indented by tabs, and where no entry exports anything
 * of a file by name, its comments go: people see them in an editor only there. A quarter of the bytes.
 *
 * @param {string} directory of the package
 * @returns {string[]} those that an entry leads to and that are missing, for the compiler to write again
 */
export function keepPublicTypes(directory) {
  const dist = join(directory, 'dist')
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  /** @type {Set<string>} */
  const kept = new Set()
  const entries = Object.values(exports).map(({ types }) => join(directory, types))
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (kept.has(path)) continue
    kept.add(path)
    if (existsSync(path)) waiting.push(...importedBy(path))
  }

  const missing = [...kept].filter((path) => !existsSync(path))
  if (missing.length > 0) return missing
  const named = new Set([...entries, ...entries.flatMap(importedBy)])
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, file)
    if (!path.endsWith('.d.ts')) continue
    if (kept.has(path)) shorten(path, named.has(path))
    else rmSync(path)
  }
  return []
}

/** @param {string} path */
function importedBy(path) {
  const names = readFileSync(path, 'utf8').matchAll(/(?:from|import\(|import) ?['"](\.[^'"]+)['"]/g)
  return [...names].map(([, name = '']) => join(dirname(path), name.replace(/\.(ts|js)$/, '.d.ts')))
}

/** @param {string} path @param {boolean} hasComments */
function shorten(path, hasComments) {
  const text = readFileSync(path, 'utf8')
  const shown = hasComments ? text : text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '')
  const shorter = shown.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
  if (shorter !== text) writeFileSync(path, shorter)
}
