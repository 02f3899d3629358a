#!/usr/bin/env node
/** `npm run release:version`: new versions of all packages from the files in `.changeset`, and their texts in CHANGELOG.md. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exit } from 'node:process'

import { runStep } from '../run-step.mjs'
import { root } from '../source-files.mjs'
import { addRelease, parseChange } from './changelog.mjs'
import { readPublished } from './published.mjs'
import { replaceSourceVersions } from './source-versions.mjs'

const folder = join(root, '.changeset')
const changes = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => parseChange(readFileSync(join(folder, name), 'utf8')))
if (changes.length === 0) {
  console.error(
    'there is nothing to release: .changeset has no changes; npm run changeset adds one',
  )
  exit(1)
}

const before = currentVersion()
await step('npm', ['run', 'changeset', '--', 'version'])
const version = currentVersion()
for (const { directory } of readPublished()) {
  replaceSourceVersions(directory, { before, after: version })
}
const path = join(root, 'CHANGELOG.md')
const date = new Date().toISOString().slice(0, 10)
writeFileSync(path, addRelease(readFileSync(path, 'utf8'), { version, date, changes }))
await step('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'])
console.log(`version ${version}: look at git diff, run npm run check, and commit`)

/** All packages have the same. @returns {string} */
function currentVersion() {
  return readPublished()[0]?.manifest['version']
}

/** @param {string} command @param {readonly string[]} args */
async function step(command, args) {
  const { isOk, output } = await runStep(command, args)
  if (isOk) return
  console.error(output)
  exit(1)
}
