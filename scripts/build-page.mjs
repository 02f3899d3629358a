/**
 * The pages of programs, from their sources to static files: of each package that has `page/main.tsx`. Done again only
 * when something they are made of changed.
 */

import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

import { hashFiles } from './hash-files.mjs'
import { runStep } from './run-step.mjs'
import { listFiles, root } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/** What every page may use of other packages, and which versions of everything else are installed. */
const sharedInputs = [
  'packages/page',
  'packages/foundation/src/address',
  'packages/foundation/src/channel',
  'packages/foundation/src/forms',
  'packages/foundation/src/highlight',
  'packages/foundation/src/install-links',
  'packages/foundation/src/text-safety',
  'packages/foundation/src/trace',
  'packages/mcp/src',
]

/**
 * Writes `dist/page` of each package with a page.
 *
 * @returns {Promise<{ isOk: boolean, output: string }>}
 */
export async function buildPages() {
  const shared = hashFiles([
    join(root, 'package-lock.json'),
    ...sharedInputs.flatMap((folder) => listFiles(join(root, folder))),
  ])
  for (const { folder } of readWorkspaces(root)) {
    const directory = join(root, folder)
    if (!existsSync(join(directory, 'page/main.tsx'))) continue
    const result = await buildPage(directory, shared)
    if (!result.isOk) return result
  }
  return { isOk: true, output: '' }
}

/** @param {string} directory @param {string} shared */
async function buildPage(directory, shared) {
  // Says what the files were made from; beside them, since the bundler empties their folder.
  const stampPath = join(directory, 'dist/.pageinfo')
  const config = join(directory, 'vite.config.ts')
  const own = hashFiles([
    fileURLToPath(import.meta.url),
    join(directory, 'package.json'),
    config,
    ...listFiles(join(directory, 'page')),
    ...listFiles(join(directory, 'src')),
  ])
  const stamp = `${shared} ${own}`
  if (isUpToDate(directory, stampPath, stamp)) return { isOk: true, output: '' }
  const result = await runStep('vite', ['build', '--logLevel', 'warn', '--config', config])
  if (result.isOk) {
    compressFiles(join(directory, 'dist/page'))
    writeFileSync(stampPath, stamp)
  }
  return result
}

/**
 * Brotli in place of what is worth it: a fifth of the bytes. Browsers take it as it is; for others the listener unpacks it.
 *
 * @param {string} folder
 */
function compressFiles(folder) {
  for (const path of listFiles(folder)) {
    if (!/\.(?:js|css|svg|json|txt)$/.test(path) || statSync(path).size < 1_024) continue
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)))
    rmSync(path)
  }
}

/** @param {string} directory @param {string} stampPath @param {string} stamp */
function isUpToDate(directory, stampPath, stamp) {
  return (
    existsSync(join(directory, 'dist/page/index.html')) &&
    existsSync(stampPath) &&
    readFileSync(stampPath, 'utf8') === stamp
  )
}
