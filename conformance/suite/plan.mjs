/** Which scenarios are run, and how. */

/** @typedef {import('./listing.mjs').Leg} Leg */
/** @typedef {import('./listing.mjs').Scenario} Scenario */

/**
 * @typedef {object} Run one scenario at one revision
 * @property {string} release of the suite
 * @property {Leg} leg
 * @property {string} scenario
 * @property {string} revision
 * @property {boolean} isExtension the suite runs it at no revision unless told to
 */

/**
 * @typedef {object} Open scenarios that are not run yet
 * @property {Leg} leg
 * @property {string} begins how their names begin
 * @property {string} [revision] the only one they are open at
 * @property {string} reason
 */

/** @type {readonly Leg[]} */
const legs = ['server', 'client']

/** The revision that extensions are played at. */
const extensionRevision = '2026-07-28'

/** The only revision there is in the first releases of the suite. */
const onlyRevision = '2025-11-25'

/**
 * Each scenario at every revision that is spoken and that has it, extensions at the revision they belong to.
 *
 * @param {string} release
 * @param {readonly Scenario[]} scenarios
 * @param {readonly string[]} spoken
 * @returns {Run[]}
 */
export function planRuns(release, scenarios, spoken) {
  return legs.flatMap((leg) =>
    spoken.flatMap((revision) =>
      scenarios
        .filter((scenario) => scenario.leg === leg)
        .filter(({ revisions }) => {
          return isExtension(revisions)
            ? revision === extensionRevision
            : revisions.includes(revision)
        })
        .map(({ name, revisions }) => {
          return { release, leg, scenario: name, revision, isExtension: isExtension(revisions) }
        }),
    ),
  )
}

/**
 * The same for the releases of the suite that play everything at one revision.
 *
 * @param {string} release
 * @param {readonly Scenario[]} scenarios
 * @returns {Run[]}
 */
export function planSingleRevision(release, scenarios) {
  return scenarios.map(({ leg, name, revisions }) => {
    const run = { release, leg, scenario: name, revision: onlyRevision }
    return { ...run, isExtension: isExtension(revisions) }
  })
}

/** @param {readonly string[]} revisions */
function isExtension(revisions) {
  return revisions.includes('extension')
}

/**
 * Why a run is not made yet; undefined if it is.
 *
 * @param {Run} run
 * @param {readonly Open[]} open
 * @returns {string | undefined}
 */
export function whyOpen(run, open) {
  return open.find((one) => isOpenAt(one, run))?.reason
}

/**
 * @param {Open} open
 * @param {Run} run
 */
export function isOpenAt({ leg, begins, revision }, run) {
  if (run.leg !== leg || !run.scenario.startsWith(begins)) return false
  return revision === undefined || revision === run.revision
}
