/** Whether what the suite found is what we expect. */

/** @typedef {import('./plan.mjs').Run} Run */
/** @typedef {import('./results.mjs').Check} Check */

/**
 * @typedef {object} Expected a run that is known not to pass
 * @property {'server' | 'client'} leg
 * @property {string} scenario
 * @property {string} revision
 * @property {string} reason
 */

/**
 * @typedef {object} Verdict
 * @property {Run} run
 * @property {number} passed
 * @property {number} failed
 * @property {number} warnings
 * @property {number} skipped
 * @property {'passed' | 'expected' | 'failed'} outcome
 * @property {readonly string[]} problems one line each
 */

/**
 * A run passes when something was checked and nothing failed or warned. One that is expected not to and does is a
 * problem too: the list of what we expect shall not outlive its reasons.
 *
 * @param {Run} run
 * @param {readonly Check[]} checks
 * @param {readonly Expected[]} expected
 * @returns {Verdict}
 */
export function judge(run, checks, expected) {
  const count = (/** @type {Check['status']} */ status) =>
    checks.filter((check) => check.status === status).length
  const passed = count('SUCCESS')
  const problems = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map((check) => `${check.id}: ${check.errorMessage ?? check.description ?? check.status}`)
  if (passed === 0 && problems.length === 0) problems.push('nothing was checked')

  const entry = expected.find((one) => isSame(one, run))
  const isAsExpected = problems.length > 0 === (entry !== undefined)
  if (entry !== undefined && problems.length === 0) {
    problems.push('passes, although expected.json lists it: remove it there')
  }
  return {
    run,
    passed,
    failed: count('FAILURE'),
    warnings: count('WARNING'),
    skipped: count('SKIPPED'),
    outcome: isAsExpected ? (entry === undefined ? 'passed' : 'expected') : 'failed',
    problems: isAsExpected && entry !== undefined ? [entry.reason] : problems,
  }
}

/**
 * Entries of the list that no run has anything to do with.
 *
 * @param {readonly Expected[]} expected
 * @param {readonly Run[]} runs
 * @returns {readonly Expected[]}
 */
export function findStale(expected, runs) {
  return expected.filter((one) => !runs.some((run) => isSame(one, run)))
}

/** @param {Expected} expected @param {Run} run */
function isSame(expected, { leg, scenario, revision }) {
  return expected.leg === leg && expected.scenario === scenario && expected.revision === revision
}

/**
 * @param {readonly Verdict[]} verdicts
 * @returns {string} a table for people
 */
export function formatTable(verdicts) {
  const names = verdicts.map(({ run }) => `${run.scenario}${run.isForced ? ' *' : ''}`)
  const width = Math.max(8, ...names.map((name) => name.length))
  const heading = `${' '.repeat(27)}${'scenario'.padEnd(width)}  passed  failed  warnings  skipped`
  const rows = verdicts.map(({ run, outcome, problems, ...counts }, index) => {
    const mark = { passed: '✓', expected: '–', failed: '✗' }[outcome]
    const name = names[index]?.padEnd(width)
    const figures =
      String(counts.passed).padStart(8) +
      String(counts.failed).padStart(8) +
      String(counts.warnings).padStart(10) +
      String(counts.skipped).padStart(9)
    const lines = problems.map((problem) => `\n      ${problem}`).join('')
    return `  ${mark}  ${run.leg.padEnd(9)}${run.revision.padEnd(13)}${name}${figures}${lines}`
  })
  const forced = verdicts.some(({ run }) => run.isForced)
  const note = forced ? ['', '  * the suite lists it for later revisions only'] : []
  return [heading, ...rows, ...note].join('\n')
}
