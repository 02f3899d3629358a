/**
 * Which sources of a package are published together in one file. To find and open a file costs more than to read it, so
 * what is always loaded together is one chunk. The plan follows from what the entries import, never from file names.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { readImportGraph } from './import-graph.mjs'
import { root, shortPath } from './source-files.mjs'

/** @typedef {import('./import-graph.mjs').Graph} Graph */

/** None imports a later one. */
export const chunkNames = [
  'core', // both sides from the start
  'address', // both sides: a client on Node, where it looks for a proxy
  'json-schema', // both sides: a client when there is something to check
  'shared', // both sides: a client when it needs it
  'client',
  'http-client',
  'server',
  'http',
  'process',
]

/**
 * The programs a package is loaded into, by chunk name: what each of them imports at once. An earlier one keeps what a
 * later one imports too.
 *
 * @type {Readonly<Record<string, readonly Audience[]>>}
 */
const audiences = {
  'packages/mcp': [
    {
      name: 'client',
      side: 'client',
      // With what sends requests on each platform: `http-client` imports those files, which must not import it.
      roots: [
        'entry/client',
        'transport/http-client/request/fetch-request',
        'transport/http-client/request/headers',
        'transport/http-client/request/answer-failures',
      ],
    },
    { name: 'http-client', side: 'client', roots: ['transport/http-client/http-transport'] },
    { name: 'server', side: 'server', roots: ['entry/server'] },
    { name: 'http', side: 'server', roots: ['entry/http'] },
    { name: 'process', side: 'server', roots: ['transport/stdio/child-process'] },
  ],
  'packages/auth': [
    { name: 'client', side: 'client', roots: ['entry/client'] },
    { name: 'server', side: 'server', roots: ['entry/server', 'entry/resource'] },
  ],
}

/**
 * @typedef {object} Audience
 * @property {string} name of the chunk
 * @property {'client' | 'server'} side
 * @property {readonly string[]} roots below `src`, without extension
 */

/**
 * The chunk of each source, by path relative to the root of the repository. Sources without one go where the bundler
 * puts them: into their entry, or into a chunk of those who share them.
 *
 * @param {string} directory of the package
 * @returns {ReadonlyMap<string, string>}
 */
export function planChunks(directory) {
  const folder = shortPath(directory)
  const known = audiences[folder]
  if (known === undefined) return new Map()
  const graph = readImportGraph([folder])
  const entries = entryFiles(folder)
  const reach = (/** @type {readonly string[]} */ paths) => reachable(graph, entries, paths)
  const reaches = known.map(({ name, side, roots }) => ({
    name,
    side,
    reached: reach(roots.map((path) => `${folder}/src/${path}.ts`)),
  }))
  const later = new Set([
    ...loadedLater(graph, entries, reaches, reach),
    ...reach([`${folder}/src/index.ts`]), // for either side, so it must not bring one of them
  ])

  const usedBeside = new Set(
    reaches.flatMap(({ reached }) =>
      [...reached]
        .filter((path) => !entries.has(path))
        .flatMap((path) => staticImports(graph, path)),
    ),
  )
  /** What an entry offers and nothing of its chunk uses: a program that does not use it either need not load it. */
  const isOnlyExported = (/** @type {string} */ path) => !usedBeside.has(path)

  /** @type {Map<string, string>} */
  const plan = new Map()
  for (const path of graph.keys()) {
    if (entries.has(path)) continue
    const users = reaches.filter(({ reached }) => reached.has(path))
    const [first] = users
    if (first === undefined || (later.has(path) && isOnlyExported(path))) continue
    const sides = new Set(users.map(({ side }) => side))
    if (sides.size === 2) plan.set(path, 'core')
    else if (first.side === 'server' && later.has(path)) plan.set(path, sharedLater(path))
    else plan.set(path, first.name)
  }
  return plan
}

/** What a client loads when it needs it, and a server has from the start. @param {string} path */
function sharedLater(path) {
  if (path.includes('/rpc/address/')) return 'address'
  return path.includes('/json-schema/') ? 'json-schema' : 'shared'
}

/**
 * What clients load when they need it, with all that follows from it.
 *
 * @param {Graph} graph
 * @param {ReadonlySet<string>} entries
 * @param {readonly { side: string, reached: ReadonlySet<string> }[]} reaches
 * @param {(paths: readonly string[]) => ReadonlySet<string>} reach
 */
function loadedLater(graph, entries, reaches, reach) {
  const clients = reaches.filter(({ side }) => side === 'client')
  const later = new Set(clients.flatMap(({ reached }) => [...reached].flatMap(dynamicImports)))
  for (const path of later) {
    for (const next of [...reach([path]), ...dynamicImports(path)]) later.add(next)
  }
  return later

  /** @param {string} path */
  function dynamicImports(path) {
    const edges = graph.get(path) ?? []
    return edges
      .filter(({ kind, to }) => kind === 'dynamic' && !entries.has(to))
      .map(({ to }) => to)
  }
}

/**
 * These files and what they import, and so on; not what they load later, nor other entries, of which the platform
 * chooses one.
 *
 * @param {Graph} graph
 * @param {ReadonlySet<string>} entries
 * @param {readonly string[]} paths
 * @returns {ReadonlySet<string>}
 */
function reachable(graph, entries, paths) {
  const reached = new Set(paths)
  for (const path of reached) {
    for (const to of staticImports(graph, path)) if (!entries.has(to)) reached.add(to)
  }
  return reached
}

/** @param {Graph} graph @param {string} path */
function staticImports(graph, path) {
  return (graph.get(path) ?? []).filter(({ kind }) => kind === 'static').map(({ to }) => to)
}

/** The files that the package's `exports` and `imports` name: each stays a file of its own. @param {string} folder */
function entryFiles(folder) {
  const { exports, imports = {} } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  )
  const targets = [...Object.values(exports), ...Object.values(imports)]
  return new Set(targets.map((target) => shortPath(join(root, folder, target['@parley/source']))))
}
