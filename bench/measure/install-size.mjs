import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { missingBuild } from '../contestants.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const installs = [
  { name: 'parley', title: 'Parley', packages: ['@parley/mcp'] },
  { name: 'official-v1', title: 'official v1', packages: ['@modelcontextprotocol/sdk'] },
  {
    name: 'official-v2',
    title: 'official v2',
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/client'],
  },
]

/** Packages and bytes on disk of each SDK with everything it depends on, optional peers left out. */
export function measureInstallSize() {
  return installs.map(({ name, title, packages }) => {
    const failure = name === 'parley' ? missingBuild() : undefined
    if (failure !== undefined) return { name, title, failure }
    const directories = new Set()
    for (const dependency of packages) collect(dependency, root, directories)
    const bytes = [...directories].reduce((sum, directory) => sum + sizeOfPackage(directory), 0)
    return { name, title, packages: directories.size, bytes }
  })
}

function collect(name, from, directories) {
  const directory = findPackage(name, from)
  if (directories.has(directory)) return
  directories.add(directory)
  const manifest = readManifest(directory)
  const optional = manifest.peerDependenciesMeta ?? {}
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
    (peer) => !optional[peer]?.optional,
  )
  for (const dependency of [...Object.keys(manifest.dependencies ?? {}), ...peers]) {
    collect(dependency, directory, directories)
  }
}

function findPackage(name, from) {
  const folders = createRequire(join(from, 'package.json')).resolve.paths(name)
  for (const folder of folders) {
    try {
      readManifest(join(folder, name))
      return realpathSync(join(folder, name))
    } catch {
      // Not in this folder; the next one up may have it.
    }
  }
  throw new Error(`${name} is not installed`)
}

function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}

/** An installed package is all of its files; one of this workspace is what its `files` would publish. */
function sizeOfPackage(directory) {
  if (directory.includes('node_modules')) return sizeOf(directory)
  const published = /^(dist|package\.json|readme.*|license.*)$/i
  return readdirSync(directory)
    .filter((name) => published.test(name))
    .reduce((sum, name) => sum + sizeOf(join(directory, name)), 0)
}

function sizeOf(path) {
  const stats = lstatSync(path)
  if (stats.isFile()) return path.endsWith('.tsbuildinfo') ? 0 : stats.size
  if (!stats.isDirectory()) return 0
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
