/** What is different with a bridge or a gateway between the suite and the server. */

/** @typedef {import('./verdict.mjs').Expected} Expected */
/** @typedef {import('./verdict.mjs').Verdict} Verdict */
/** @typedef {'legacy' | 'modern'} Era */

/** @type {readonly Era[]} in which it speaks with the server */
export const bridgeEras = ['legacy', 'modern']

/** @typedef {'bridge' | 'gateway'} Between */

/**
 * @typedef {object} Bridged a run that does not pass a bridge, and so no gateway
 * @property {Era} server the era that is spoken with the server
 * @property {Between} [through] the only one that it does not pass; absent for both
 * @property {string} release of the suite
 * @property {string} scenario
 * @property {string} revision
 * @property {string} reason
 */

/**
 * What is expected with it there.
 *
 * @param {Expected & { readonly bridged?: readonly Bridged[] }} expected
 * @param {Era} era
 * @param {Between} between
 * @returns {Expected}
 */
export function throughBridge({ open, failing, bridged = [] }, era, between) {
  const own = bridged
    .filter(({ server, through = between }) => server === era && through === between)
    .map(({ release, scenario, revision, reason }) => {
      return { release, leg: /** @type {const} */ ('server'), scenario, revision, reason }
    })
  return { open, failing: [...failing, ...own] }
}

/**
 * How many runs pass in each of the four cells.
 *
 * @param {readonly { readonly era: Era, readonly verdicts: readonly Verdict[] }[]} played
 * @returns {string}
 */
export function formatCells(played) {
  const rows = played.map(({ era, verdicts }) => {
    const cells = bridgeEras.map((client) => {
      const own = verdicts.filter(
        ({ run }) => run.revision >= '2026-07-28' === (client === 'modern'),
      )
      const passed = own.filter(({ outcome }) => outcome === 'passed').length
      return `${passed} of ${own.length}`.padStart(16)
    })
    return `  ${era.padEnd(14)}${cells.join('')}`
  })
  const head = `  ${'server'.padEnd(14)}${bridgeEras.map((era) => `client ${era}`.padStart(16)).join('')}`
  return [head, ...rows].join('\n')
}
