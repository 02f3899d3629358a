/** From the sources of a package to what is published: a file for each entry, and chunks of what several entries use. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pid } from 'node:process'
import { fileURLToPath } from 'node:url'

import { rolldown, VERSION } from 'rolldown'

import { chunkNames, planChunks } from './chunks.mjs'
import { hashFiles } from './hash-files.mjs'
import { listFiles, shortPath } from './source-files.mjs'

/** Says what the files in `dist` were made from, and which sources are in each; not published. */
export const stampName = '.bundleinfo'

/**
 * Writes `dist/*.js` of a package. Does nothing when they were made from the same sources by the same program.
 *
 * @param {string} directory
 * @returns {Promise<boolean>} whether there was something to do
 */
export async function bundlePackage(directory) {
  const dist = join(directory, 'dist')
  const stamp = hashInputs(directory)
  if (isUpToDate(dist, stamp)) return false

  const chunks = await generate(directory)
  const files = chunks.map(({ fileName }) => fileName)
  for (const { fileName, code } of chunks) replaceFile(join(dist, fileName), code)
  for (const file of filesIn(dist, '.js')) if (!files.includes(file)) rmSync(join(dist, file))
  const contents = chunks.map(({ fileName, moduleIds }) =>
    [fileName, ...moduleIds.map((id) => shortPath(id, directory))].join('\t'),
  )
  replaceFile(join(dist, stampName), [stamp, ...contents, ''].join('\n'))
  return true
}

/**
 * The files that a package's `exports`, `imports` and `bin` name, below `dist` and without extension. What `imports` chooses
 * by platform is an entry of its own, so that only the chosen one is loaded.
 *
 * @param {string} directory
 * @returns {string[]}
 */
export function findEntries(directory) {
  const { exports, imports = {}, bin = {} } = readManifest(directory)
  const conditions = [...Object.values(exports), ...Object.values(imports)]
  const targets = [
    ...conditions.flatMap((target) => [target.node, target.default]),
    ...Object.values(bin),
  ]
  return [...new Set(targets.filter((path) => path !== undefined))].map((path) =>
    path.replace(/^(?:\.\/)?dist\//, '').replace(/\.js$/, ''),
  )
}

/**
 * What sources load when it is needed. As an entry it has a file of its own even where most of it is in a shared chunk,
 * which then needs no list of its exports.
 *
 * @param {string} directory
 * @returns {string[]}
 */
function findLoadedLater(directory) {
  const sources = join(directory, 'src')
  return listFiles(sources).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\bimport\('(\.[^']+)\.ts'\)/g)].map(([, name = '']) =>
      shortPath(join(dirname(path), name), sources),
    ),
  )
}

/**
 * Names of functions stay, and so do lines: what a stack trace shows can be read, and Node prints one line of the
 * file, not all of it, above an uncaught error. Names of local variables go, with the comments: half of the bytes.
 *
 * @param {string} directory
 */
async function generate(directory) {
  const { dependencies = {}, peerDependencies = {} } = readManifest(directory)
  const packages = Object.keys({ ...dependencies, ...peerDependencies })
  const bundle = await rolldown({
    cwd: directory,
    tsconfig: false,
    input: Object.fromEntries(
      [...findEntries(directory), ...findLoadedLater(directory)].map((entry) => [
        entry,
        join(directory, 'src', `${entry}.ts`),
      ]),
    ),
    platform: 'neutral',
    external: (name) =>
      /^(#|node:)/.test(name) ||
      packages.some((known) => name === known || name.startsWith(`${known}/`)),
    transform: { target: 'es2022' },
    experimental: { attachDebugInfo: 'none' }, // a comment for each module: a fiftieth of the bytes
    onLog(_, { code, message }) {
      // An entry for Node may name what another one loads when it is needed.
      if (code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(message)
    },
  })
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: { groups: chunkGroups(directory) },
    comments: { annotation: true, jsdoc: false, legal: false },
    minify: {
      compress: false,
      mangle: { toplevel: false, keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: false },
    },
  })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/**
 * With a module goes what it imports, unless a group before it has that.
 *
 * @param {string} directory
 */
function chunkGroups(directory) {
  const plan = planChunks(directory)
  return chunkNames.map((name, index) => ({
    name,
    priority: chunkNames.length - index,
    test: (/** @type {string} */ id) => plan.get(shortPath(id)) === name,
  }))
}

/** @param {string} directory */
function hashInputs(directory) {
  const inputs = [
    fileURLToPath(import.meta.url),
    fileURLToPath(new URL('chunks.mjs', import.meta.url)),
    join(directory, 'package.json'),
    ...listFiles(join(directory, 'src')),
  ]
  return hashFiles(inputs, VERSION)
}

/** @param {string} dist @param {string} stamp */
function isUpToDate(dist, stamp) {
  const path = join(dist, stampName)
  if (!existsSync(path)) return false
  const [made, ...contents] = readFileSync(path, 'utf8').trimEnd().split('\n')
  const files = contents.map((line) => line.split('\t', 1)[0] ?? '')
  return made === stamp && files.every((file) => existsSync(join(dist, file)))
}

/**
 * In one step: a program that is starting reads the old file or the new one.
 *
 * @param {string} path
 * @param {string} text
 */
export function replaceFile(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${pid}`
  writeFileSync(draft, text)
  renameSync(draft, path)
}

/** @param {string} directory @param {string} extension */
function filesIn(directory, extension) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(extension))
}

/** @param {string} directory */
function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}
