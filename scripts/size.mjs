#!/usr/bin/env node
/** `npm run size`: what our packages weigh when installed, bundled and loaded, beside what they may weigh. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { exit } from 'node:process'

import { measureProgram, programs } from './bundle-size.mjs'
import { findEntries } from './bundle.mjs'
import { maxProgram, measureInstall, measureProgramInstall } from './install-size.mjs'
import { loadedFiles } from './loaded-files.mjs'
import { root } from './source-files.mjs'

const maxPackages = 3
const maxBytes = 1_400_000
let isOk = true

console.log('Bundled, minified and compressed, in bytes')
for (const program of programs) {
  const { loaded, later } = await measureProgram(program)
  const verdict = classify(loaded, program.limit)
  const goal = loaded <= program.goal ? 'goal reached' : `goal ${format(program.goal)}`
  console.log(
    `  ${program.title.padEnd(20)} ${format(loaded)} ${verdict} limit ${format(program.limit)}, ${goal}; loaded later when needed: ${format(later)}`,
  )
}

const { packages, bytes } = await measureInstall('packages/mcp')
console.log('\nInstalled')
console.log(`  packages ${packages} ${classify(packages, maxPackages)} at most ${maxPackages}`)
console.log(`  bytes ${format(bytes)} ${classify(bytes, maxBytes)} at most ${format(maxBytes)}`)

const { bytes: programBytes, packages: programPackages } =
  await measureProgramInstall('packages/cli')
console.log('\nThe command, installed')
console.log(
  `  packages ${programPackages} ${classify(programPackages, maxProgram.packages)} at most ${maxProgram.packages}`,
)
console.log(
  `  bytes ${format(programBytes)} ${classify(programBytes, maxProgram.bytes)} at most ${format(maxProgram.bytes)}`,
)

for (const folder of ['packages/mcp', 'packages/auth']) {
  const dist = join(root, folder, 'dist')
  console.log(`\nLoaded by an import, ${folder}`)
  for (const entry of findEntries(join(root, folder))) {
    const files = loadedFiles(dist, `${entry}.js`)
    const size = files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0)
    const shared = files.slice(1).map((file) => file.replace(/^chunks\/|\.js$/g, ''))
    console.log(`  ${entry.padEnd(42)} ${format(size).padStart(7)}  ${shared.join(' ')}`)
  }
}
if (!isOk) exit(1)

/** @param {number} value @param {number} most */
function classify(value, most) {
  if (value > most) isOk = false
  return value > most ? '✗' : '✓'
}

/** @param {number} value */
function format(value) {
  return value.toLocaleString('en-US')
}
