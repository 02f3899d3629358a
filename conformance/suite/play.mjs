/** The two programs under test, with the suite at the other end. */

import { current, previous } from './releases.mjs'
import { resultsFolder } from './results.mjs'

/** @typedef {import('./plan.mjs').Run} Run */
/** @typedef {import('./program.mjs').SuiteHost} SuiteHost */
/** @typedef {import('./results.mjs').Check} Check */

const scenarioMs = 15_000
const revisionMs = 120_000

/**
 * Plays a client to our server: whole revisions at once, extensions one by one.
 *
 * @param {SuiteHost} suite
 * @param {readonly Run[]} runs
 * @param {string} root for the suite's results
 * @param {() => Promise<import('./fixture-process.mjs').FixtureServer>} start
 */
export async function playServer(suite, runs, root, start) {
  if (runs.length === 0) return
  const server = await start()
  try {
    for (const { release, args, timeoutMs, run } of serverCommands(runs)) {
      const where = ['server', '--url', server.url, '-o', resultsFolder(root, run)]
      await suite.run(release, [...where, ...args], timeoutMs)
    }
  } finally {
    await server.stop()
  }
}

/** @param {readonly Run[]} runs */
function* serverCommands(runs) {
  const limit = ['--timeout', `${scenarioMs}`]
  /** @type {Map<string, Run[]>} */
  const byRevision = new Map()
  for (const run of runs) {
    const key = run.isExtension ? run.scenario : `${run.release} ${run.revision}`
    byRevision.set(key, [...(byRevision.get(key) ?? []), run])
  }
  for (const [run, ...others] of byRevision.values()) {
    if (run === undefined) continue
    const isCurrent = run.release === current.version
    const which =
      run.isExtension || others.length === 0 ? ['--scenario', run.scenario] : ['--suite', 'all']
    const version = isCurrent ? ['--spec-version', run.revision, ...limit] : []
    const args = [...which, ...version, ...(run.isExtension ? ['--force'] : [])]
    yield { release: isCurrent ? current : previous, args, timeoutMs: revisionMs, run }
  }
}

/**
 * Plays a server to our client, once for each run.
 *
 * @param {SuiteHost} suite
 * @param {readonly Run[]} runs
 * @param {string} root for the suite's results
 * @returns {Promise<Map<Run, readonly Check[]>>} how our client ended, where that was not well
 */
export async function playClient(suite, runs, root) {
  const ends = new Map()
  const always = ['client', '--command', 'node conformance/client.js', '--timeout', `${scenarioMs}`]
  for (const run of runs) {
    const isCurrent = run.release === current.version
    const version = isCurrent ? ['--spec-version', run.revision] : []
    const { isOk, output } = await suite.run(
      isCurrent ? current : previous,
      [
        ...always,
        '--scenario',
        run.scenario,
        ...version,
        ...(run.isExtension && isCurrent ? ['--force'] : []), // the older release knows no such option
        '-o',
        resultsFolder(root, run),
      ],
      2 * scenarioMs,
    )
    const end = badEnd(output)
    if (!isOk && end !== undefined) ends.set(run, [end])
  }
  return ends
}

/** @param {string} output @returns {Check | undefined} */
function badEnd(output) {
  const [end] = /^Client (exited with code|timed out).*$/m.exec(output) ?? []
  const [cause] = /^\w*Error\b.*$/m.exec(output) ?? []
  if (end === undefined) return undefined
  const errorMessage = cause === undefined ? end : `${end}: ${cause}`
  return { id: 'client-ends-well', status: 'FAILURE', errorMessage }
}
