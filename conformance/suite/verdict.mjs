/** Whether what the suite found is what we expect. */

/** @typedef {import('./plan.mjs').Open} Open */
/** @typedef {import('./plan.mjs').Run} Run */
/** @typedef {import('./results.mjs').Check} Check */

import { isOpenAt, whyOpen } from './plan.mjs'

/**
 * @typedef {object} Failing a run that is known not to pass
 * @property {string} release of the suite
 * @property {'server' | 'client'} leg
 * @property {string} scenario
 * @property {string} revision
 * @property {string} reason
 */

/**
 * @typedef {object} Expected
 * @property {readonly Open[]} open
 * @property {readonly Failing[]} failing
 */

/**
 * @typedef {object} Verdict
 * @property {Run} run
 * @property {number} passed
 * @property {number} failed
 * @property {number} warnings
 * @property {number} skipped
 * @property {'passed' | 'expected' | 'open' | 'failed'} outcome
 * @property {readonly string[]} problems one line each
 */

/**
 * A run passes when something was checked and nothing failed or warned. One that is expected not to and does is a
 * problem too: the list of what we expect shall not outlive its reasons. What is open has not been run.
 *
 * @param {Run} run
 * @param {readonly Check[]} checks
 * @param {Expected} expected
 * @returns {Verdict}
 */
export function classify(run, checks, expected) {
  const count = (/** @type {Check['status']} */ status) =>
    checks.filter((check) => check.status === status).length
  const counts = {
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warnings: count('WARNING'),
    skipped: count('SKIPPED'),
  }
  const problems = problemsOf(checks)
  const reason = whyOpen(run, expected.open)
  if (reason !== undefined) return { run, ...counts, outcome: 'open', problems: [reason] }

  const entry = expected.failing.find((one) => isSame(one, run))
  if (entry === undefined) {
    return { run, ...counts, outcome: problems.length === 0 ? 'passed' : 'failed', problems }
  }
  return problems.length > 0
    ? { run, ...counts, outcome: 'expected', problems: [entry.reason] }
    : { run, ...counts, outcome: 'failed', problems: [passesNow] }
}

const passesNow = 'passes, although expected.json lists it: remove it there'

/** Every scenario has it, also one that finds nothing of what it is about. */
const schemaCheck = 'wire-schema-valid'

/** @param {readonly Check[]} checks */
function problemsOf(checks) {
  const problems = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map((check) => `${check.id}: ${check.errorMessage ?? check.description ?? check.status}`)
  const isChecked = checks.some(({ id, status }) => status === 'SUCCESS' && id !== schemaCheck)
  return isChecked || problems.length > 0 ? problems : ['nothing was checked']
}

/**
 * Entries of the list that no run has anything to do with.
 *
 * @param {Expected} expected
 * @param {readonly Run[]} runs
 * @returns {readonly (Open | Failing)[]}
 */
export function findStale({ open, failing }, runs) {
  return [
    ...open.filter((one) => !runs.some((run) => isOpenAt(one, run))),
    ...failing.filter((one) => !runs.some((run) => isSame(one, run))),
  ]
}

/** @param {Failing} failing @param {Run} run */
function isSame(failing, { release, leg, scenario, revision }) {
  return (
    failing.release === release &&
    failing.leg === leg &&
    failing.scenario === scenario &&
    failing.revision === revision
  )
}

const marks = { passed: '✓', expected: '–', open: ' ', failed: '✗' }

/**
 * @param {readonly Verdict[]} verdicts
 * @returns {string} a table for people, without what is open
 */
export function formatTable(verdicts) {
  const shown = verdicts.filter(({ outcome }) => outcome !== 'open')
  const width = Math.max(8, ...shown.map(({ run }) => run.scenario.length))
  const head = `${' '.repeat(43)}${'scenario'.padEnd(width)}  passed  failed  warnings  skipped`
  const rows = shown.map(({ run, outcome, problems, ...counts }) => {
    const place = `${run.release.padEnd(16)}${run.leg.padEnd(9)}${run.revision.padEnd(13)}`
    const figures =
      String(counts.passed).padStart(8) +
      String(counts.failed).padStart(8) +
      String(counts.warnings).padStart(10) +
      String(counts.skipped).padStart(9)
    const lines = problems.map((problem) => `\n      ${problem}`).join('')
    return `  ${marks[outcome]}  ${place}${run.scenario.padEnd(width)}${figures}${lines}`
  })
  return [head, ...rows].join('\n')
}
