/** A few rows of the page with the benchmark's results, for the landing page. */

const shown = new Map([
  ['stdio-64', 'CPU of a call over stdio'],
  ['http-session-32', 'CPU of a call in a session over HTTP'],
  ['http-modern-32', 'CPU of a call in 2026-07-28 over HTTP'],
  ['http-session-memory', 'memory of an idle session'],
  ['cold-start', 'time from start to the first result'],
])

/** @param {string} performance the page, as `npm run bench -- --write` writes it */
export function measuredTable(performance) {
  const rows = [...shown].map(([name, title]) => {
    const row = new RegExp(`^\\| \`${name}\`[^|]*\\| ([\\d.]+) `, 'm').exec(performance)
    if (row === null) throw new Error(`docs/internals/performance.md has no row ${name}`)
    return `| ${title} | ${row[1]} times ours |`
  })
  return ['| measured in one run | official SDK v2 |', '|---|---:|', ...rows].join('\n')
}
