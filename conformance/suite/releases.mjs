/** The releases of the public suite that are run. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Release
 * @property {string} version
 * @property {string} program its path
 */

/** @param {string} manifest @returns {Release} */
function find(manifest) {
  const { version } = JSON.parse(readFileSync(new URL(manifest), 'utf8'))
  return { version, program: fileURLToPath(new URL('dist/index.js', manifest)) }
}

/** Has all revisions; each run is made at one of them. */
export const current = find(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))

/** The last that was released before 2026-07-28: whatever it has is played at 2025-11-25. */
export const previous = find(import.meta.resolve('conformance-0.1/package.json'))
