/** What was seen, as a table. */

/** @typedef {import('./play.mjs').Verdict} Verdict */

const mostFaults = 8

/** @param {readonly Verdict[]} verdicts */
export function formatTable(verdicts) {
  const rows = verdicts.map(({ scenario, rounds, seen, faults }) => [
    faults.length === 0 ? '✓' : '✗',
    scenario.name,
    String(rounds),
    scenario.target,
    seen,
  ])
  const heads = ['', 'scenario', 'rounds', 'target', 'seen']
  const widths = heads.map((_, column) =>
    Math.max(...[heads, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  return [heads, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The first faults of each scenario, and how to see them again. @param {readonly Verdict[]} verdicts @param {string} store */
export function formatFaults(verdicts, store) {
  return verdicts
    .filter(({ faults }) => faults.length > 0)
    .map(({ scenario, faults }) => {
      const [first] = faults
      const more = faults.length > mostFaults ? [`  … and ${faults.length - mostFaults} more`] : []
      return [
        `\n${scenario.name}: ${scenario.title}`,
        ...faults.slice(0, mostFaults).map(({ seed, fault }) => `  seed ${seed}: ${fault}`),
        ...more,
        `  again: npm run chaos -- --only ${scenario.name} --store ${store} --seed ${first?.seed} --rounds 1`,
      ].join('\n')
    })
    .join('\n')
}
