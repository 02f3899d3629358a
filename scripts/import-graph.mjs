/** Which file of the repository imports which, through relative paths, packages and `#` names alike. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { findImports } from './imports.mjs'
import { listFiles, root, shortPath } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/**
 * @typedef {object} Edge
 * @property {string} to relative to the root
 * @property {import('./imports.mjs').Import['kind']} kind
 */

/** @typedef {ReadonlyMap<string, readonly Edge[]>} Graph by file, relative to the root with forward slashes */

/** The condition under which the packages' `exports` and `imports` name sources. */
const sourceCondition = '@parley/source'

/**
 * Reads every source and test file below these folders.
 *
 * @param {readonly string[]} [folders] relative to the root
 * @returns {Graph}
 */
export function readImportGraph(folders = [...workspaceFolders(), 'scripts', 'test-support']) {
  const names = readNames()
  const workspaces = workspaceFolders()
  /** @type {Map<string, readonly Edge[]>} */
  const graph = new Map()
  for (const path of folders.flatMap((folder) => listFiles(join(root, folder)))) {
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue
    graph.set(shortPath(path), edgesOf(path, names, workspaces))
  }
  return graph
}

/** @param {string} path @param {ReadonlyMap<string, string>} names @param {readonly string[]} folders @returns {Edge[]} */
function edgesOf(path, names, folders) {
  const workspace = folders.find((folder) => shortPath(path).startsWith(`${folder}/`))
  return findImports(shortPath(path), readFileSync(path, 'utf8')).flatMap(({ specifier, kind }) => {
    const to = specifier.startsWith('.')
      ? shortPath(join(dirname(path), specifier))
      : names.get(specifier.startsWith('#') ? `${workspace}${specifier}` : specifier)
    return to === undefined ? [] : [{ to, kind }]
  })
}

/** What packages call their files: `@parley/mcp/server`, and `packages/mcp#ws` for names of their own. */
function readNames() {
  /** @type {Map<string, string>} */
  const names = new Map()
  for (const { name, folder } of readWorkspaces(root)) {
    const { exports = {}, imports = {} } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    )
    for (const [subpath, target] of Object.entries(exports)) {
      const source = sourceOf(target)
      if (source) names.set(`${name}${subpath.slice(1)}`, shortPath(join(root, folder, source)))
    }
    for (const [alias, target] of Object.entries(imports)) {
      const source = sourceOf(target)
      if (source) names.set(`${folder}${alias}`, shortPath(join(root, folder, source)))
    }
  }
  return names
}

/** @param {unknown} target @returns {string | undefined} */
function sourceOf(target) {
  const source = /** @type {Record<string, unknown>} */ (Object(target))[sourceCondition]
  return typeof source === 'string' ? source : undefined
}

/** @type {readonly string[] | undefined} */
let knownFolders

function workspaceFolders() {
  knownFolders ??= readWorkspaces(root).map(({ folder }) => folder)
  return knownFolders.filter((folder) => existsSync(join(root, folder)))
}
