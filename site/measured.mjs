/** A few cases of the page with the benchmark's results, for the landing page. */

const shown = new Map([
  ['stdio-64', 'Call a tool, stdio'],
  ['http-session-32', 'Call a tool, HTTP session'],
  ['http-modern-32', 'Call a tool, HTTP 2026-07-28'],
  ['tools-list-100', 'List 100 tools, stdio'],
])

/**
 * CPU time of one call in microseconds, of the newest official SDK and of Parley, from the same run.
 *
 * @typedef {{ title: string, theirs: number, ours: number, times: number }} Measured
 */

/**
 * @param {string} cases the page with all figures, as `npm run bench -- --write` writes it
 * @returns {readonly Measured[]}
 */
export function measuredCases(cases) {
  return [...shown].map(([name, title]) => {
    const section = cases.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? ''
    const ours = figureOf(section, 'Parley')
    const theirs = figureOf(section, 'official v2')
    if (!section.includes('CPU µs/op') || ours === undefined || theirs === undefined) {
      throw new Error(`docs/internals/performance-cases.md has no CPU time of ${name}`)
    }
    return { title, theirs, ours, times: Number((theirs / ours).toPrecision(2)) }
  })
}

/**
 * The first figure in a row of a table.
 *
 * @param {string} section
 * @param {string} row
 */
function figureOf(section, row) {
  const [, figure] = new RegExp(`^\\| ${row} \\| ([\\d.,]+) `, 'm').exec(section) ?? []
  return figure === undefined ? undefined : Number(figure.replaceAll(',', ''))
}
