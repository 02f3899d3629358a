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
import { replaceFile } from './bundle.mjs'
import { hashFiles } from './hash-files.mjs'
import { listFiles, root } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/** Fetched when it is needed, or installed by those who need it. */
const fetched = [
  '@napi-rs/keyring',
  '@opentelemetry/api',
  '@parley/code',
  '@parley/telemetry',
  'ioredis',
  'libsql',
  'oidc-provider',
  'oxc-transform',
  'pg',
  'prom-client',
]

/** Loaded when the first such file is met, and at once: `require` of a file beside the program, which has them whole. */
const requiredLater = ['yaml', 'smol-toml']

/**
 * Writes `dist/*.js` of a program. Does nothing when they were made from the same sources.
 *
 * @param {string} directory
 * @returns {Promise<boolean>} whether there was something to do
 */
export async function bundleTool(directory) {
  const isWhole = isCommand(directory)
  const dist = isWhole ? join(directory, 'dist') : join(directory, 'dist/program')
  const stampPath = join(dist, '.toolinfo')
  const stamp = hashInputs()
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return false

  const required = isWhole ? await generateRequired() : []
  const chunks = [...(await generate(directory)), ...required]
  const files = new Set(chunks.map(({ fileName }) => fileName))
  for (const { fileName, code } of chunks) replaceFile(join(dist, fileName), code)
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const name = path.replaceAll('\\', '/')
    const isOurs = /\.c?js$/.test(name) && !name.startsWith('pages/')
    if (isOurs && !files.has(name)) rmSync(join(dist, path))
  }
  if (isWhole) copyPages(directory)
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
  const outside = [...Object.keys({ ...dependencies, ...peerDependencies }), ...fetched]
  // A program of a package that exports more uses that, and what the package depends on.
  if (!isCommand(directory)) outside.push(basename(directory).replace(/^/, '@parley/'))
  /** What each module imports at once. @type {Map<string, readonly string[]>} */
  const graph = new Map()
  const bundle = await rolldown({
    cwd: directory,
    tsconfig: false,
    input: inputs(directory),
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
    return core.has(id)
  }
  return [
    { name: 'version', priority: 2, test: /packages[\\/]cli[\\/]src[\\/]version\.ts$/ }, // all that --version loads
    { name: 'core', priority: 1, test: isInCore },
  ]
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

async function generateRequired() {
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

/** What `bin` and `exports` name, and what the program starts by itself. @param {string} directory */
function inputs(directory) {
  const cli = join(root, 'packages/cli/src')
  const hooks = { 'typescript-hooks': join(cli, 'dev/typescript-hooks.ts') }
  return isCommand(directory)
    ? { main: join(cli, 'main.ts'), index: join(cli, 'index.ts'), ...hooks }
    : { main: join(cli, `programs/${basename(directory)}.ts`), ...hooks }
}

/** Whether it is the command with everything in it. @param {string} directory */
function isCommand(directory) {
  return basename(directory) === 'cli'
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

/** All sources of ours: a program is made of most of them. */
function hashInputs() {
  const own = fileURLToPath(import.meta.url)
  const sources = readWorkspaces(root)
    .filter(({ folder }) => folder.startsWith('packages/'))
    .flatMap(({ folder }) => [
      join(root, folder, 'package.json'),
      ...listFiles(join(root, folder, 'src')),
      ...[join(root, folder, 'dist/.pageinfo')].filter((path) => existsSync(path)),
    ])
  return hashFiles([own, join(root, 'package-lock.json'), ...sources], VERSION)
}

/** @param {string} directory */
function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}
