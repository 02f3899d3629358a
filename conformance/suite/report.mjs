/** The results as they stand in the documentation. */

/** @typedef {import('./plan.mjs').Run} Run */
/** @typedef {import('./verdict.mjs').Verdict} Verdict */

const begin = '<!-- results: npm run conformance -- --write -->'
const end = '<!-- end of results -->'

/**
 * @typedef {object} Report
 * @property {string} release whose requirement sets are meant; other releases have a column of their own
 * @property {readonly Verdict[]} verdicts
 * @property {ReadonlyMap<string, ReadonlySet<string>>} required by revision, as `leg scenario`
 */

/**
 * How many of each requirement set pass, and below it every scenario with its outcome at each revision.
 *
 * @param {Report} report
 * @returns {string}
 */
export function formatReport(report) {
  const rows = [...report.required].map(([revision, names]) => {
    return `| ${revision} | ${score(report, names, revision, 'server')} | ${score(report, names, revision, 'client')} |`
  })
  const sets = ['| requirement set | server | client |', '|---|---|---|', ...rows].join('\n')
  return [sets, ...formatLeg(report, 'server'), ...formatLeg(report, 'client')].join('\n\n')
}

/**
 * Puts a report where the last one stands.
 *
 * @param {string} page
 * @param {string} report
 */
export function replaceReport(page, report) {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from === -1 || to < from) throw new Error(`the page has no place for results: ${begin}`)
  return `${page.slice(0, from + begin.length)}\n\n${report}\n\n${page.slice(to)}`
}

/**
 * How many of a requirement set pass.
 *
 * @param {Report} report
 * @param {ReadonlySet<string>} names
 * @param {string} revision
 * @param {Run['leg']} leg
 */
export function score({ verdicts, release }, names, revision, leg) {
  const all = [...names].filter((name) => name.startsWith(`${leg} `))
  const isPassed = (/** @type {string} */ name) =>
    verdicts.some(({ run, outcome }) => {
      if (run.release !== release || run.revision !== revision) return false
      return `${run.leg} ${run.scenario}` === name && outcome === 'passed'
    })
  return `${all.filter(isPassed).length} of ${all.length}`
}

/**
 * @param {Report} report
 * @param {Run['leg']} leg
 * @returns {string[]}
 */
function formatLeg({ verdicts, release, required }, leg) {
  const ofLeg = verdicts.filter(({ run }) => run.leg === leg)
  const columnOf = (/** @type {Run} */ run) =>
    run.release === release ? run.revision : run.release
  const revisions = ofLeg
    .filter(({ run }) => run.release === release)
    .map(({ run }) => run.revision)
  const others = ofLeg.filter(({ run }) => run.release !== release).map(({ run }) => run.release)
  const columns = [...new Set(revisions.toSorted()), ...new Set(others)]
  const cellOf = (/** @type {string} */ scenario, /** @type {string} */ column) => {
    const verdict = ofLeg.find(({ run }) => run.scenario === scenario && columnOf(run) === column)
    if (verdict === undefined) return ' '
    const word = { passed: '✓', expected: '–', open: 'open', failed: '✗' }[verdict.outcome]
    const counts = required.get(column)?.has(`${leg} ${scenario}`)
    return counts ? ` **${word}** ` : ` ${word} `
  }
  const names = [...new Set(ofLeg.map(({ run }) => run.scenario))]
  const rows = names.map(
    (name) => `| \`${name}\` |${columns.map((c) => cellOf(name, c)).join('|')}|`,
  )
  const table = [
    `| ${leg} | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...rows,
  ]
  const reasons = [...new Set(ofLeg.flatMap(reasonOf))]
  return [table.join('\n'), ...(reasons.length === 0 ? [] : [reasons.join('\n')])]
}

/** @param {Verdict} verdict @returns {string[]} */
function reasonOf({ run, outcome, problems }) {
  if (outcome === 'open') return [`- open: ${problems.join('; ')}`]
  return outcome === 'expected' ? [`- \`${run.scenario}\`: ${problems.join('; ')}`] : []
}
