#!/usr/bin/env node
/**
 * `npm run release [-- --dry-run]`: publishes every package whose version is not on npm yet, each after those it depends
 * on. Started again after a failure, it goes on with the rest.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, exit } from 'node:process'

import { runStep } from '../run-step.mjs'
import { dependenciesFirst } from './dependency-order.mjs'
import { findProblems } from './problems.mjs'
import { readPublished } from './published.mjs'
import { packAll } from './stage.mjs'

const isDryRun = argv.includes('--dry-run')
const problems = findProblems()
if (problems.length > 0) {
  console.error(problems.join('\n'))
  exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'parley-release-'))
try {
  const tarballs = new Map((await packAll(folder)).map((tarball) => [tarball.name, tarball]))
  for (const { name } of dependenciesFirst(readPublished())) {
    const tarball = tarballs.get(name)
    if (tarball !== undefined) await publish(tarball)
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** @param {import('./stage.mjs').Tarball} tarball */
async function publish({ name, version, path }) {
  const { isOk: isKnown } = await runStep('npm', ['view', `${name}@${version}`, 'version'])
  if (isKnown) return console.log(`${name}@${version} is published already`)
  // Provenance says which commit and workflow made the file; only a workflow can sign that.
  const flags = env['GITHUB_ACTIONS'] === undefined ? [] : ['--provenance']
  if (isDryRun) flags.push('--dry-run')
  const result = await runStep('npm', ['publish', path, '--access', 'public', ...flags])
  if (!result.isOk) {
    console.error(result.output)
    throw new Error(`${name}@${version} was not published`)
  }
  return console.log(`${name}@${version} ${isDryRun ? 'would be' : 'was'} published`)
}
