/** The releases of the public suite that are run. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Release
 * @property {string} version
 * @property {string} program its path
 */

/** @param {string} packageName @returns {Release} */
function find(packageName) {
  const manifest = import.meta.resolve(`${packageName}/package.json`)
  const { version } = JSON.parse(readFileSync(new URL(manifest), 'utf8'))
  return { version, program: fileURLToPath(new URL('dist/index.js', manifest)) }
}

/** Has all revisions; each run is made at one of them. */
export const current = find('@modelcontextprotocol/conformance')

/** The last that was released before 2026-07-28: whatever it has is played at 2025-11-25. */
export const previous = find('conformance-0.1')
