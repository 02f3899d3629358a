#!/usr/bin/env node
/**
 * Runs the public conformance suite against `server.js` and `client.js`. Fails on every failure and warning that
 * `expected.json` does not give a reason for. With names of scenarios only those are run.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { argv } from 'node:process'

import { spokenRevisions } from '@parley/mcp'

import { startFixtureServer } from './suite/fixture-process.mjs'
import { planRuns, readScenarios } from './suite/plan.mjs'
import { runSuite } from './suite/program.mjs'
import { readChecks } from './suite/results.mjs'
import { findStale, formatTable, judge } from './suite/verdict.mjs'

/** @typedef {import('./suite/plan.mjs').Run} Run */
/** @typedef {import('./suite/results.mjs').Check} Check */

const scenarioMs = 15_000
const revisionMs = 60_000

/**
 * @param {readonly Run[]} runs
 * @param {string} folder for the suite's results
 */
async function runServer(runs, folder) {
  if (runs.length === 0) return
  const server = await startFixtureServer()
  const always = ['server', '--url', server.url, '--timeout', `${scenarioMs}`]
  const wholeRevisions = new Set(runs.filter(({ isForced }) => !isForced).map(revisionOf))
  try {
    for (const revision of wholeRevisions) {
      const which = ['--suite', 'all', '--spec-version', revision]
      await runSuite([...always, ...which, '-o', join(folder, 'server', revision)], revisionMs)
    }
    for (const { scenario, revision } of runs.filter(({ isForced }) => isForced)) {
      const which = ['--scenario', scenario, '--spec-version', revision, '--force']
      await runSuite([...always, ...which, '-o', join(folder, 'server', revision)], 2 * scenarioMs)
    }
  } finally {
    await server.stop()
  }
}

/**
 * @param {readonly Run[]} runs
 * @param {string} folder
 * @returns {Promise<Map<Run, string>>} how our client ended, where that was not well
 */
async function runClient(runs, folder) {
  const ends = new Map()
  const always = ['client', '--command', 'node conformance/client.js', '--timeout', `${scenarioMs}`]
  for (const run of runs) {
    const { scenario, revision, isForced } = run
    const which = ['--scenario', scenario, '--spec-version', revision]
    const rest = [...(isForced ? ['--force'] : []), '-o', join(folder, 'client', revision)]
    const { isOk, output } = await runSuite([...always, ...which, ...rest], 2 * scenarioMs)
    const [end] = /^Client (exited with code|timed out).*$/m.exec(output) ?? []
    const [cause] = /^\w*Error\b.*$/m.exec(output) ?? []
    if (!isOk && end !== undefined) ends.set(run, cause === undefined ? end : `${end}: ${cause}`)
  }
  return ends
}

/**
 * @param {Run} run
 * @param {string} folder
 * @param {ReadonlyMap<Run, string>} ends
 * @returns {readonly Check[]}
 */
function checksOf(run, folder, ends) {
  const checks = readChecks(join(folder, run.leg, run.revision), run)
  const end = ends.get(run)
  if (end === undefined) return checks
  return [...checks, { id: 'client-ends-well', status: 'FAILURE', errorMessage: end }]
}

/** @param {Run} run */
function revisionOf({ revision }) {
  return revision
}

async function main() {
  const wanted = argv.slice(2)
  const listing = await runSuite(['list'], scenarioMs)
  const plan = planRuns(readScenarios(listing.output), spokenRevisions)
  if (plan.length === 0) throw new Error(`the suite lists no scenario:\n${listing.output}`)
  const runs = plan.filter(({ scenario }) => wanted.length === 0 || wanted.includes(scenario))
  const unknown = wanted.filter((name) => !runs.some(({ scenario }) => scenario === name))
  if (unknown.length > 0) throw new Error(`no scenario to run is named ${unknown.join(', ')}`)

  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const started = performance.now()
  const ofLeg = (/** @type {string} */ leg) => runs.filter((run) => run.leg === leg)
  await runServer(ofLeg('server'), folder)
  const ends = await runClient(ofLeg('client'), folder)

  const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8'))
  const verdicts = runs.map((run) => judge(run, checksOf(run, folder, ends), expected))
  const stale = findStale(expected, plan)
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(formatTable(verdicts))
  for (const { leg, scenario, revision } of stale) {
    console.log(
      `\nexpected.json names ${leg} ${scenario} at ${revision}, which is not run: remove it`,
    )
  }
  const isOk = failed.length === 0 && stale.length === 0
  console.log(`\n${runs.length} runs, ${failed.length} failed, in ${seconds} s`)
  if (isOk) rmSync(folder, { recursive: true })
  else console.log(`details are in ${folder}`)
  process.exitCode = isOk ? 0 : 1
}

await main()
