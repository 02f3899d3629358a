#!/usr/bin/env node
/**
 * Fails on an import against the arrow
 * `schema ← rpc ← wire ← server, client ← transport ← testing, entry`,
 * on Node's modules where code must run anywhere, on a reach into another package's files, on files that import each
 * other in a ring, and on a folder with more sources than a reader can take in.
 * `docs/internals/architecture.md` says why.
 */

import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { argv, exit } from 'node:process'
import { pathToFileURL } from 'node:url'

import { readImportGraph } from './import-graph.mjs'
import { findImportRings } from './import-rings.mjs'
import { findImports } from './imports.mjs'
import { listFiles, root, shortPath } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/** @typedef {import('./imports.mjs').Import} Import */
/** @typedef {import('./workspaces.mjs').Workspace} Workspace */

/**
 * @typedef {object} Violation
 * @property {string} file
 * @property {number} [line] none for a whole folder or ring
 * @property {string} fault what is wrong
 * @property {string} cure what to do about it
 */

/**
 * The layers of the SDK, from left to right.
 *
 * @type {Readonly<Record<string, number>>}
 */
export const ranks = {
  schema: 0,
  rpc: 1,
  wire: 2,
  server: 3,
  client: 3,
  transport: 4,
  testing: 5,
  entry: 6,
  index: 6, // src/index.ts alone: the root of the package runs anywhere
}
const arrow = 'schema ← rpc ← wire ← server, client ← transport ← testing, entry'
const layeredPackage = 'packages/mcp'
const mayUseNode = new Set(['transport', 'entry'])
const builtins = new Set(builtinModules)

/**
 * Every import of one file that breaks a rule.
 *
 * @param {string} path relative to the repository, with forward slashes
 * @param {string} text
 * @param {readonly Workspace[]} workspaces
 * @returns {Violation[]}
 */
export function checkFile(path, text, workspaces) {
  const violations = []
  for (const found of findImports(path, text)) {
    const verdict = checkPackages(path, found, workspaces) ?? checkLayers(path, found)
    if (verdict) violations.push({ file: path, line: found.line, ...verdict })
  }
  return violations
}

/**
 * Rules between packages, for every file of the repository.
 *
 * @param {string} path
 * @param {Import} found
 * @param {readonly Workspace[]} workspaces
 */
function checkPackages(path, { specifier }, workspaces) {
  const own = workspaces.find(({ folder }) => path.startsWith(`${folder}/`))

  if (specifier.startsWith('.')) {
    const target = targetOf(path, specifier)
    const other = workspaces.find(
      ({ folder }) => target === folder || target.startsWith(`${folder}/`),
    )
    if (!other || other === own) return undefined
    return {
      fault: `'${specifier}' reaches into the files of ${other.name}`,
      cure: `import from '${other.name}' or one of its subpaths; export there what is missing`,
    }
  }

  const other = workspaces.find(
    ({ name }) => specifier === name || specifier.startsWith(`${name}/`),
  )
  if (!other) return undefined
  if (other === own && path.startsWith(`${other.folder}/src/`)) {
    return {
      fault: `'${specifier}' is this package itself`,
      cure: 'import the file that holds it by its relative path',
    }
  }
  const subpath = `.${specifier.slice(other.name.length)}`
  if (other.subpaths.includes(subpath)) return undefined
  return {
    fault: `'${specifier}' is not exported by ${other.name}`,
    cure: `use one of ${other.subpaths.join(', ') || 'its exports (it has none)'}, or add the subpath to its package.json`,
  }
}

/**
 * Rules between the layers of the SDK.
 *
 * @param {string} path
 * @param {Import} found
 */
function checkLayers(path, { specifier, kind }) {
  const sources = `${layeredPackage}/src/`
  if (!path.startsWith(sources)) return undefined
  const from = layerOf(path)
  if (from === undefined) {
    return {
      fault: `${path} is in no layer`,
      cure: `move it into a layer: ${arrow}; only index.ts stands outside`,
    }
  }

  if (specifier.startsWith('node:') || builtins.has(specifier)) {
    if (!specifier.startsWith('node:')) {
      return { fault: `'${specifier}' is a module of Node`, cure: `write 'node:${specifier}'` }
    }
    if (mayUseNode.has(from)) return undefined
    return {
      fault: `${from}/ imports '${specifier}', but must run anywhere`,
      cure: 'move the I/O into transport/, or take what is needed as an option',
    }
  }

  if (specifier.startsWith('#')) {
    if (kind !== 'static' || mayUseNode.has(from)) return undefined
    return {
      fault: `${from}/ loads '${specifier}' at start`,
      cure: `load it on first use: await import('${specifier}')`,
    }
  }

  if (!specifier.startsWith('.')) return undefined
  return checkArrow(from, targetOf(path, specifier), specifier)
}

/**
 * @param {string} from
 * @param {string} target
 * @param {string} specifier
 */
function checkArrow(from, target, specifier) {
  const to = layerOf(target)
  if (to === undefined) {
    return {
      fault: `'${specifier}' is in no layer of ${layeredPackage}/src`,
      cure: 'import from a layer, or move that file into one',
    }
  }
  if (from === to || rankOf(to) < rankOf(from)) return undefined
  if (rankOf(to) === rankOf(from)) {
    return {
      fault: `${from}/ imports '${specifier}' from ${to}/; the two stand side by side`,
      cure: 'move what both need into a layer to their left',
    }
  }
  return {
    fault: `${from}/ imports '${specifier}' from ${to}/, against ${arrow}`,
    cure: `move the part that needs ${to}/ into ${to}/, or what is needed from there into ${from}/ or further left`,
  }
}

/** @param {string} path @returns {string | undefined} */
function layerOf(path) {
  const sources = `${layeredPackage}/src/`
  if (!path.startsWith(sources)) return undefined
  const [first = '', ...rest] = path.slice(sources.length).split('/')
  if (rest.length === 0) return first === 'index.ts' ? 'index' : undefined
  return first !== 'index' && first in ranks ? first : undefined
}

/** @param {string} layer */
function rankOf(layer) {
  return ranks[layer] ?? 0
}

/** @param {string} path @param {string} specifier */
function targetOf(path, specifier) {
  return shortPath(resolve('/', dirname(path), specifier), '/')
}

/**
 * Every ring of imports, once.
 *
 * @param {import('./import-graph.mjs').Graph} graph
 * @returns {Violation[]}
 */
export function checkRings(graph) {
  return findImportRings(graph).map((ring) => ({
    file: ring[0] ?? '',
    fault: `files import each other in a ring:\n${[...ring, ring[0]].map((file) => `        ${file}`).join('\n      → imports\n')}`,
    cure:
      'move what two of them need into a file of its own that imports neither, hand it over as an argument, ' +
      'or write `import type` where only the type is used',
  }))
}

/** @returns {Violation[]} */
export function checkRepository() {
  const workspaces = readWorkspaces(root)
  const violations = []
  const files = workspaces.flatMap(({ folder }) => listFiles(join(root, folder)))
  for (const file of files) {
    if (!/\.[cm]?[jt]sx?$/.test(file)) continue
    violations.push(...checkFile(shortPath(file), readFileSync(file, 'utf8'), workspaces))
  }
  violations.push(...checkRings(readImportGraph()))
  return violations
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const violations = checkRepository()
  for (const { file, line, fault, cure } of violations) {
    const place = line === undefined ? file : `${file}:${line}`
    console.error(`${place}: ${fault}\n    cure: ${cure}`)
  }
  if (violations.length > 0) exit(1)
  console.log(`imports follow ${arrow}, without rings`)
}
