#!/usr/bin/env node
/**
 * Runs the public conformance suite against `server.js` and `client.js`. Fails on every failure and warning that
 * `expected.json` does not give a reason for. `--help` says what can be asked for.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { revisions } from '@parley/mcp'

import { chooseRuns, readArguments, usage, UsageError } from './suite/arguments.mjs'
import { bridgeEras, formatCells, throughBridge } from './suite/bridged.mjs'
import {
  startFixtureBridge,
  startFixtureCluster,
  startFixtureGateway,
  startFixtureServer,
} from './suite/fixture-process.mjs'
import { readRequired, readScenarios } from './suite/listing.mjs'
import { planRuns, planSingleRevision, whyOpen } from './suite/plan.mjs'
import { playClient, playServer } from './suite/play.mjs'
import { createSuiteHost } from './suite/program.mjs'
import { current, previous } from './suite/releases.mjs'
import { formatReport, replaceReport, score } from './suite/report.mjs'
import { readChecks } from './suite/results.mjs'
import { findStale, formatTable, classify } from './suite/verdict.mjs'

/** @typedef {import('./suite/plan.mjs').Run} Run */
/** @typedef {import('./suite/verdict.mjs').Verdict} Verdict */

const listMs = 60_000
const suite = createSuiteHost()
const page = new URL('../docs/internals/conformance.md', import.meta.url)
/** @type {import('./suite/verdict.mjs').Expected} */
const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8'))

/** @param {string[]} args */
async function list(release = current, args = []) {
  const { isOk, output } = await suite.run(release, ['list', ...args], listMs)
  if (!isOk) throw new Error(`${release.version} lists nothing:\n${output}`)
  return output
}

async function plan() {
  const runs = planRuns(current.version, readScenarios(await list()), revisions)
  return [...runs, ...planSingleRevision(previous.version, readScenarios(await list(previous)))]
}

/**
 * @param {readonly Run[]} runs
 * @param {string} folder for what the suite writes
 * @param {boolean} isCluster
 * @returns {Promise<Verdict[]>}
 */
async function play(runs, folder, isCluster) {
  const due = runs.filter((run) => whyOpen(run, expected.open) === undefined)
  await playServer(
    suite,
    due.filter(({ leg }) => leg === 'server'),
    folder,
    isCluster ? startFixtureCluster : startFixtureServer,
  )
  const ends = await playClient(
    suite,
    due.filter(({ leg }) => leg === 'client'),
    folder,
  )
  return runs.map((run) => {
    return classify(run, [...readChecks(folder, run), ...(ends.get(run) ?? [])], expected)
  })
}

/**
 * The server behind a bridge or a gateway, once for each era that is spoken with it.
 *
 * @param {readonly Run[]} runs
 * @param {string} folder
 * @param {import('./suite/bridged.mjs').Between} between
 * @returns {Promise<boolean>}
 */
async function playBridged(runs, folder, between) {
  const start = between === 'bridge' ? startFixtureBridge : startFixtureGateway
  const due = runs.filter(
    (run) => run.leg === 'server' && whyOpen(run, expected.open) === undefined,
  )
  const cells = []
  for (const era of bridgeEras) {
    const root = join(folder, era)
    await playServer(suite, due, root, () => start(era))
    const known = throughBridge(expected, era, between)
    const verdicts = due.map((run) => classify(run, readChecks(root, run), known))
    console.log(`\nthe ${between} speaks with the server in the ${era} era\n`)
    console.log(formatTable(verdicts))
    cells.push({ era, verdicts })
  }
  console.log(`\n${formatCells(cells)}`)
  return cells.every(({ verdicts }) => verdicts.every(({ outcome }) => outcome !== 'failed'))
}

/** The requirement sets, by revision. @returns {Promise<Map<string, ReadonlySet<string>>>} */
async function readSets() {
  const required = new Map()
  for (const revision of ['2025-11-25', '2026-07-28']) {
    required.set(revision, readRequired(await list(current, ['--requirements', revision])))
  }
  return required
}

/** @param {readonly Verdict[]} verdicts */
async function report(verdicts) {
  return formatReport({ release: current.version, verdicts, required: await readSets() })
}

/** How many of each set the server passes. @param {readonly Verdict[]} verdicts */
async function scores(verdicts) {
  const required = await readSets()
  const about = { release: current.version, verdicts, required }
  return [...required]
    .map(
      ([revision, names]) =>
        `${revision}: ${score(about, names, revision, 'server')} required of servers`,
    )
    .join('\n')
}

/** @param {readonly Verdict[]} verdicts @param {boolean} isToWrite @returns {Promise<boolean>} */
async function keepPage(verdicts, isToWrite) {
  const text = readFileSync(page, 'utf8')
  const wanted = replaceReport(text, await report(verdicts))
  if (wanted === text) return true
  if (isToWrite) writeFileSync(page, wanted)
  else console.log('\ndocs/internals/conformance.md says otherwise: npm run conformance -- --write')
  return isToWrite
}

async function main() {
  const told = readArguments(process.argv.slice(2))
  const { help, list: isToList, write, cluster, bridge, gateway, scenarios } = told
  if (help) return console.log(usage)
  const planned = await plan()
  if (isToList) {
    return console.log([...new Set(planned.map(({ scenario }) => scenario))].toSorted().join('\n'))
  }
  const isWhole = scenarios.length === 0 && !cluster
  const chosen = chooseRuns(planned, scenarios)
  const runs = cluster ? chosen.filter(({ leg }) => leg === 'server') : chosen

  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  if (bridge || gateway) {
    const isWell = await playBridged(runs, folder, bridge ? 'bridge' : 'gateway')
    if (isWell) rmSync(folder, { recursive: true })
    else console.log(`details are in ${folder}`)
    process.exitCode = isWell ? 0 : 1
    return undefined
  }
  const started = performance.now()
  const verdicts = await play(runs, folder, cluster)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(formatTable(verdicts))
  const stale = findStale(expected, planned)
  for (const entry of stale) {
    console.log(`\nexpected.json has an entry for nothing that is run: ${JSON.stringify(entry)}`)
  }
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
  const open = verdicts.filter(({ outcome }) => outcome === 'open')
  const figures = `${runs.length - open.length} runs, ${failed.length} failed, ${open.length} open`
  console.log(`\n${figures}, in ${seconds} s`)
  if (cluster && scenarios.length === 0) console.log(`\n${await scores(verdicts)}`)
  const isOk = failed.length === 0 && stale.length === 0
  const isKept = !isWhole || !isOk || (await keepPage(verdicts, write))
  if (isOk) rmSync(folder, { recursive: true })
  else console.log(`details are in ${folder}`)
  process.exitCode = isOk && isKept ? 0 : 1
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`conformance: ${error.message} (--help says more)`)
  process.exitCode = 2
} finally {
  suite.close()
}
