#!/usr/bin/env node
/**
 * `npm run build`: the compiler checks everything and writes declarations, then the packages are bundled, CommonJS gets
 * its entries, and the pages are made. What has not changed is not built again.
 */

import { join } from 'node:path'
import { exit } from 'node:process'

import { buildPages } from './build-page.mjs'
import { bundleProgram } from './bundle-program.mjs'
import { bundleTool } from './bundle-tool.mjs'
import { bundlePackage } from './bundle.mjs'
import { writeCommonJsCopies, writeCommonJsEntries } from './commonjs-entries.mjs'
import { linkWorkspaces } from './link-workspaces.mjs'
import { keepPublicTypes } from './public-types.mjs'
import { runStep } from './run-step.mjs'
import { root } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/**
 * What others load at every start, and bundle; the rest stays as the compiler writes it, except what starts the servers. Each
 * comes after those it uses.
 */
const libraries = ['packages/mcp', 'packages/auth'].map((folder) => join(root, folder))

/** Programs in one bundle, with everything they use; `pages` of their own and of the programs in them lie beside. */
const tools = ['cli', 'inspector', 'gateway', 'registry', 'chat'].map((name) =>
  join(root, 'packages', name),
)

/** The interface of another package, so its declarations stay as they are: `keepPublicTypes` leaves out what its entries do not list. */
const compat = join(root, 'packages/compat')

linkWorkspaces(root)
// The libraries first, until their declarations are as users get them: what was compiled against others would be out of date.
for (const directory of libraries) {
  await compile(['-b', directory])
  await bundlePackage(directory)
  await keepTypes(directory)
  writeCommonJsEntries(directory)
}
await compile(['-b', compat])
await bundlePackage(compat)
writeCommonJsCopies(compat)
await compile(['-b'])
const servers = readWorkspaces(root).filter(({ folder }) => folder.startsWith('servers/'))
await Promise.all(servers.map(({ folder }) => bundleProgram(join(root, folder))))
report(await buildPages())
for (const directory of tools) await bundleTool(directory)

/** @param {string} directory */
async function keepTypes(directory) {
  if (keepPublicTypes(directory).length === 0) return
  // The compiler does not look for what it once wrote: a declaration that became public has to be asked for.
  await compile(['-b', '--force', directory])
  const missing = libraries
    .slice(0, libraries.indexOf(directory) + 1)
    .flatMap((one) => keepPublicTypes(one))
  if (missing.length > 0) throw new Error(`not written: ${missing.join(', ')}`)
}

/** @param {readonly string[]} args */
async function compile(args) {
  report(await runStep('tsc', args))
}

/** @param {{ isOk: boolean, output: string }} result */
function report({ isOk, output }) {
  if (isOk) return
  console.error(output.trimEnd())
  exit(1)
}
