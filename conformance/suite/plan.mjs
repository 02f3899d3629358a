/** Which scenarios are run, and how. */

/** @typedef {'server' | 'client'} Leg */

/**
 * @typedef {object} Scenario
 * @property {Leg} leg
 * @property {string} name
 * @property {readonly string[]} revisions those the suite runs it at by itself
 */

/**
 * @typedef {object} Run one scenario at one revision
 * @property {Leg} leg
 * @property {string} scenario
 * @property {string} revision
 * @property {boolean} isForced the suite does not run it at this revision unless told to
 */

/** @type {readonly Leg[]} */
const legs = ['server', 'client']

/**
 * Plain HTTP and forms, as older revisions have them too; the suite begins with them at 2025-11-25. They are run at the
 * newest revision there is.
 *
 * @type {Readonly<Record<Leg, readonly string[]>>}
 */
const alsoEarlier = {
  server: ['dns-rebinding-protection', 'server-sse-multiple-streams'],
  client: ['elicitation-sep1034-client-defaults', 'sse-retry'],
}

/**
 * Reads what the suite's `list` prints: a heading for each leg, below it ` - name [revision,revision]`.
 *
 * @param {string} listing
 * @returns {Scenario[]}
 */
export function readScenarios(listing) {
  /** @type {Scenario[]} */
  const scenarios = []
  /** @type {Leg | undefined} */
  let leg
  for (const line of listing.split('\n')) {
    if (/^\w.* scenarios /.test(line)) leg = legOf(line)
    const found = /^\s+- (\S+) \[(.*)\]$/.exec(line)
    if (leg === undefined || found === null) continue
    const [, name = '', revisions = ''] = found
    scenarios.push({ leg, name, revisions: revisions.split(',') })
  }
  return scenarios
}

/** @param {string} heading @returns {Leg | undefined} */
function legOf(heading) {
  if (heading.startsWith('Server ')) return 'server'
  return heading.startsWith('Client ') ? 'client' : undefined // of authorization servers there is none here
}

/**
 * All scenarios of a server at each revision that is spoken, and those of a client that need no authorization.
 *
 * @param {readonly Scenario[]} scenarios
 * @param {readonly string[]} spoken newest first
 * @returns {Run[]}
 */
export function planRuns(scenarios, spoken) {
  const [newest] = spoken
  const wanted = scenarios.filter(({ leg, name }) => leg === 'server' || !name.startsWith('auth/'))
  return legs.flatMap((leg) =>
    spoken.flatMap((revision) =>
      wanted
        .filter((scenario) => scenario.leg === leg)
        .filter(({ name, revisions }) => {
          if (revisions.includes(revision)) return true
          const isListed = revisions.some((other) => spoken.includes(other))
          return revision === newest && !isListed && alsoEarlier[leg].includes(name)
        })
        .map(({ name, revisions }) => {
          return { leg, scenario: name, revision, isForced: !revisions.includes(revision) }
        }),
    ),
  )
}
