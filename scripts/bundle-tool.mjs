/**
 * A program in few files: everything it is made of, ours and of others, without what it does not use. Opening hundreds of
 * small files takes longer than all the rest of a start, and each package that is not installed is one less to download,
 * to check and to trust. What `dependencies` and `peerDependencies` of its `package.json` name stays outside.
 */

import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { rolldown, VERSION } from 'rolldown'

import { findLicenses } from './bundle-program.mjs'
import { findEntries, replaceFile } from './bundle.mjs'
import { hashFiles } from './hash-files.mjs'
import { listFiles, root } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/** Loaded when the first such file is met, and at once: `require` of a file beside the program, which has them whole. */
const requiredLater = ['yaml', 'smol-toml']

/**
 * Writes `dist/*.js` of a program. Does nothing when they were made from the same sources.
 *
 * @param {string} directory
 * @returns {Promise<boolean>} whether there was something to do
 */
export async function bundleTool(directory) {
  const dist = join(directory, 'dist')
  const stampPath = join(dist, '.toolinfo')
  const stamp = hashInputs(directory)
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return false

  const chunks = [...(await generate(directory)), ...(await generateRequired(directory))]
  const files = new Set(chunks.map(({ fileName }) => fileName))
  for (const { fileName, code } of chunks) replaceFile(join(dist, fileName), code)
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const name = path.replaceAll('\\', '/')
    const isOurs = /\.c?js$/.test(name) && !name.startsWith('pages/')
    if (isOurs && !files.has(name)) rmSync(join(dist, path))
  }
  copyPages(directory)
  replaceFile(
    join(dist, 'licenses.txt'),
    findLicenses(chunks.flatMap(({ moduleIds }) => moduleIds)),
  )
  replaceFile(stampPath, stamp)
  return true
}

/** @param {string} directory */
async function generate(directory) {
  const { dependencies = {}, peerDependencies = {} } = readManifest(directory)
  const outside = Object.keys({ ...dependencies, ...peerDependencies })
  /** What each module imports at once. @type {Map<string, readonly string[]>} */
  const graph = new Map()
  const bundle = await rolldown({
    cwd: directory,
    tsconfig: false,
    input: Object.fromEntries(
      inputs(directory).map((name) => [basename(name), join(directory, 'src', `${name}.ts`)]),
    ),
    platform: 'node',
    resolve: {
      mainFields: ['module', 'main'],
      conditionNames: ['@parley/source', 'node', 'import', 'default'],
    },
    external: (name) => outside.some((known) => name === known || name.startsWith(`${known}/`)),
    transform: { target: 'es2022' },
    experimental: { attachDebugInfo: 'none' },
    treeshake: {
      moduleSideEffects: (id, external) =>
        !external && !/[\\/]packages[\\/][^\\/]+[\\/]src[\\/]/.test(id),
    },
    plugins: [
      {
        name: 'graph',
        moduleParsed({ id, importedIds }) {
          graph.set(id, importedIds)
        },
      },
      {
        name: 'required-later',
        transform(code) {
          if (!code.includes('createRequire(import.meta.url)(')) return null
          return code.replaceAll(
            /createRequire\(import\.meta\.url\)\('([\w-]+)'\)/g,
            (whole, name) =>
              requiredLater.includes(name)
                ? `createRequire(import.meta.url)('./${name}.cjs')`
                : whole,
          )
        },
      },
    ],
    onLog(level, { message, code }) {
      if (level === 'warn' && code !== 'INEFFECTIVE_DYNAMIC_IMPORT' && code !== 'EVAL')
        throw new Error(message)
    },
  })
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: chunkGroups(directory, graph) },
    comments: { annotation: true, jsdoc: false, legal: false },
    minify,
  })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/**
 * What a short command loads at every start is one file.
 *
 * @param {string} directory
 * @param {ReadonlyMap<string, readonly string[]>} graph
 */
function chunkGroups(directory, graph) {
  /** @type {Set<string> | undefined} */
  let core
  const isInCore = (/** @type {string} */ id) => {
    core ??= reached(
      graph,
      coreRoots.map((path) => join(root, path)).filter((path) => graph.has(path)),
    )
    return core.has(id) && !id.endsWith('version.ts')
  }
  return [{ name: 'core', priority: 1, test: isInCore }]
}

/** The commands that are typed most, and what they load to talk to a server that they start. */
const coreRoots = [
  'packages/cli/src/run.ts',
  'packages/cli/src/io.ts',
  'packages/cli/src/commands/call.ts',
  'packages/cli/src/commands/list.ts',
  'packages/cli/src/commands/read.ts',
  'packages/mcp/src/client/tasks/client-tasks.ts',
  'packages/mcp/src/client/tasks/start-tool.ts',
  'packages/mcp/src/transport/stdio/child-process.ts',
  'packages/mcp/src/transport/connect-local.ts',
  'packages/mcp/src/client/input/client-input.ts',
  'packages/mcp/src/client/tools/schema-issues.ts',
]

/**
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @param {readonly string[]} roots
 */
function reached(graph, roots) {
  const all = new Set(roots)
  for (const id of all) for (const next of graph.get(id) ?? []) all.add(next)
  return all
}

/** Names and lines stay: what a stack trace shows can be read. */
const minify = /** @type {const} */ ({
  compress: true,
  mangle: { toplevel: false, keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: false },
})

/** @param {string} directory */
async function generateRequired(directory) {
  const bundle = await rolldown({
    cwd: join(root, 'packages/foundation'),
    tsconfig: false,
    input: Object.fromEntries(requiredLater.map((name) => [name, name])),
    platform: 'node',
    experimental: { attachDebugInfo: 'none' },
  })
  const { output } = await bundle.generate({
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    comments: { annotation: true, jsdoc: false, legal: false },
    minify,
  })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/** What `bin` and `exports` name, and what the program starts by itself. @param {string} directory @returns {string[]} */
function inputs(directory) {
  const { bin = {} } = readManifest(directory)
  const programs = Object.values(bin).map((path) =>
    String(path).replace(/^(?:\.\/)?dist\/|\.js$/g, ''),
  )
  const hooks = existsSync(join(directory, 'src/dev/typescript-hooks.ts'))
    ? ['dev/typescript-hooks']
    : []
  return [...new Set([...findEntries(directory), ...programs, ...hooks])]
}

/**
 * The pages of the programs that it contains: `dist/pages/inspector` and so on.
 *
 * @param {string} directory
 */
function copyPages(directory) {
  const pages = join(directory, 'dist/pages')
  rmSync(pages, { recursive: true, force: true })
  const { devDependencies = {} } = readManifest(directory)
  for (const { name, folder } of readWorkspaces(root)) {
    const from = join(root, folder, 'dist/page')
    if (name in devDependencies && existsSync(join(from, 'index.html'))) {
      cpSync(from, join(pages, basename(folder)), { recursive: true })
    }
  }
}

/** All sources of ours: a program is made of most of them. @param {string} directory */
function hashInputs(directory) {
  const own = fileURLToPath(import.meta.url)
  const sources = readWorkspaces(root)
    .filter(({ folder }) => folder.startsWith('packages/'))
    .flatMap(({ folder }) => [
      join(root, folder, 'package.json'),
      ...listFiles(join(root, folder, 'src')),
      ...[join(root, folder, 'dist/.pageinfo')].filter((path) => existsSync(path)),
    ])
  return hashFiles([own, join(root, 'package-lock.json'), ...sources], VERSION, directory)
}

/** @param {string} directory */
function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}
