#!/usr/bin/env node
/**
 * `npm run build`: the compiler checks everything and writes declarations, then the packages are bundled, CommonJS gets
 * its entries, and the pages are made. What has not changed is not built again.
 */

import { join } from 'node:path'
import { exit } from 'node:process'

import { buildPages } from './build-page.mjs'
import { bundlePackage } from './bundle.mjs'
import { writeCommonJsEntries } from './commonjs-entries.mjs'
import { linkWorkspaces } from './link-workspaces.mjs'
import { keepPublicTypes } from './public-types.mjs'
import { runStep } from './run-step.mjs'
import { root } from './source-files.mjs'
import { readWorkspaces } from './workspaces.mjs'

/** What others load at every start, and bundle; the rest are programs, and stay as the compiler writes them. */
const libraries = new Set(['packages/mcp', 'packages/auth'])
const packages = readWorkspaces(root)
  .filter(({ folder }) => libraries.has(folder))
  .map(({ folder }) => join(root, folder))

linkWorkspaces(root)
await compile(['-b'])
for (const directory of packages) await bundlePackage(directory)
if (missingTypes().length > 0) {
  // The compiler does not look for what it once wrote: a declaration that became public has to be asked for.
  await compile(['-b', '--force'])
  const missing = missingTypes()
  if (missing.length > 0) throw new Error(`not written: ${missing.join(', ')}`)
}
for (const directory of packages) writeCommonJsEntries(directory)
report(await buildPages())

function missingTypes() {
  return packages.flatMap((directory) => keepPublicTypes(directory))
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
