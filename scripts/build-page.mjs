/** The inspector's page, from its sources to static files. Done again only when something it is made of changed. */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { runStep } from './run-step.mjs'
import { listFiles, root } from './source-files.mjs'

const inspector = join(root, 'packages/inspector')
const output = join(inspector, 'dist/page')

/** Says what the files were made from; beside them, since the bundler empties their folder. */
const stampPath = join(inspector, 'dist/.pageinfo')

/**
 * Writes `packages/inspector/dist/page`.
 *
 * @returns {Promise<{ isOk: boolean, output: string }>}
 */
export async function buildPage() {
  const stamp = hashInputs()
  if (isUpToDate(stamp)) return { isOk: true, output: '' }
  const config = join(inspector, 'vite.config.ts')
  const result = await runStep('vite', ['build', '--logLevel', 'warn', '--config', config])
  if (result.isOk) writeFileSync(stampPath, stamp)
  return result
}

/** @param {string} stamp */
function isUpToDate(stamp) {
  return (
    existsSync(join(output, 'index.html')) &&
    existsSync(stampPath) &&
    readFileSync(stampPath, 'utf8') === stamp
  )
}

/** Its own files, what it uses of other packages, and which versions of everything else are installed. */
function hashInputs() {
  const hash = createHash('sha256')
  const inputs = [
    join(root, 'package-lock.json'),
    join(inspector, 'package.json'),
    join(inspector, 'vite.config.ts'),
    ...listFiles(join(inspector, 'page')),
    ...listFiles(join(root, 'packages/foundation/src/forms')),
    ...listFiles(join(root, 'packages/foundation/src/trace')),
    ...listFiles(join(root, 'packages/mcp/src')),
  ]
  for (const path of inputs) hash.update(`\0${path}\0`).update(readFileSync(path))
  return hash.digest('hex')
}
