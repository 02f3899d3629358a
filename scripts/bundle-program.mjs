/**
 * A server program in one file: opening hundreds of small files, one by one, takes longer than all the rest of its start.
 * What others import of the package stays as the compiler writes it.
 */

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { rolldown, VERSION } from 'rolldown'

import { replaceFile } from './bundle.mjs'
import { hashFiles } from './hash-files.mjs'
import { listFiles, root } from './source-files.mjs'

/** Packages of many files, of which a program uses a part. `@parley/mcp` and `@parley/auth` are few files already. */
const inlined = [
  'zod',
  'diff',
  'temporal-polyfill',
  'temporal-utils',
  '@parley/server-kit',
  '@parley/auth/node', // a lock of it, and nothing else
  '@oxc-project/runtime', // what the bundler writes for `using`
]

/** What programs are made of, besides their own sources. */
const sharedInputs = ['packages/server-kit/src', 'packages/auth/src']

const launcher = "#!/usr/bin/env node\nimport './bundle/main.js'\n"

/**
 * Writes `dist/main.js` and `dist/bundle` of a server. Does nothing when they were made from the same sources.
 *
 * @param {string} directory
 * @returns {Promise<boolean>} whether there was something to do
 */
export async function bundleProgram(directory) {
  const dist = join(directory, 'dist')
  const stampPath = join(dist, '.programinfo')
  const main = join(dist, 'main.js')
  const stamp = hashInputs(directory)
  const isMade = existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp
  if (isMade && readFileSync(main, 'utf8') === launcher) return false

  const chunks = await generate(directory)
  rmSync(join(dist, 'bundle'), { recursive: true, force: true })
  for (const { fileName, code } of chunks) replaceFile(join(dist, 'bundle', fileName), code)
  const licenses = findLicenses(chunks.flatMap(({ moduleIds }) => moduleIds))
  replaceFile(join(dist, 'bundle/licenses.txt'), licenses)
  replaceFile(main, launcher)
  replaceFile(stampPath, stamp)
  return true
}

/** What is loaded when it is needed has a file of its own. @param {string} directory */
async function generate(directory) {
  const bundle = await rolldown({
    cwd: directory,
    tsconfig: false,
    input: { main: join(directory, 'src/main.ts') },
    platform: 'node',
    resolve: { conditionNames: ['@parley/source', 'node', 'import', 'default'] },
    external: (name) => isBare(name) && !inlined.some((known) => isOf(name, known)),
    transform: { target: 'es2022' },
    experimental: { attachDebugInfo: 'none' },
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
  })
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: { annotation: true, jsdoc: false, legal: true },
  })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/** @param {string} name */
function isBare(name) {
  return !/^[./\\]|^[a-z]:[\\/]/i.test(name)
}

/** @param {string} name @param {string} known */
function isOf(name, known) {
  return name === known || name.startsWith(`${known}/`)
}

/** Of the packages of others whose code is in the bundle. @param {readonly string[]} moduleIds */
export function findLicenses(moduleIds) {
  const folders = moduleIds.flatMap((id) => {
    const [, folder] = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? []
    return folder === undefined ? [] : [folder]
  })
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const path = ['LICENSE', 'LICENSE.md', 'license'].map((file) => join(folder, file))
    const text = path.find((file) => existsSync(file))
    return `${name} ${version} (${license})\n\n${text ? readFileSync(text, 'utf8').trim() : ''}\n`
  })
  return texts.join('\n\n')
}

/** @param {string} directory */
function hashInputs(directory) {
  const own = fileURLToPath(import.meta.url)
  const shared = sharedInputs.flatMap((folder) => listFiles(join(root, folder)))
  const sources = listFiles(join(directory, 'src'))
  const lock = join(dirname(own), '../package-lock.json')
  return hashFiles([own, lock, join(directory, 'package.json'), ...sources, ...shared], VERSION)
}
