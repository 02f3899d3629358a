/** What is different with a bridge between the suite and the server. */

/** @typedef {import('./verdict.mjs').Expected} Expected */
/** @typedef {import('./verdict.mjs').Verdict} Verdict */
/** @typedef {'legacy' | 'modern'} Era */

/** @type {readonly Era[]} in which the bridge speaks with the server */
export const bridgeEras = ['legacy', 'modern']

/**
 * @typedef {object} Bridged a run that does not pass a bridge
 * @property {Era} server the era that the bridge speaks with the server
 * @property {string} release of the suite
 * @property {string} scenario
 * @property {string} revision
 * @property {string} reason
 */

/**
 * What is expected with the bridge there.
 *
 * @param {Expected & { readonly bridged?: readonly Bridged[] }} expected
 * @param {Era} era
 * @returns {Expected}
 */
export function throughBridge({ open, failing, bridged = [] }, era) {
  const own = bridged
    .filter(({ server }) => server === era)
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
