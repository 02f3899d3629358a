/** What the suite's `list` prints. */

/** @typedef {'server' | 'client'} Leg */

/**
 * @typedef {object} Scenario
 * @property {Leg} leg
 * @property {string} name
 * @property {readonly string[]} revisions those the suite runs it at by itself; `extension` for what is beyond them
 */

/**
 * Reads a heading for each leg, below it ` - name [revision,revision]`.
 *
 * @param {string} listing
 * @returns {Scenario[]}
 */
export function readScenarios(listing) {
  return readEntries(listing).flatMap(({ leg, entry }) => {
    const [, name = '', revisions = ''] = /^(\S+) \[(.*)\]$/.exec(entry) ?? []
    return name === '' ? [] : [{ leg, name, revisions: revisions.split(',') }]
  })
}

/**
 * Reads what `list --requirements` prints: the scenarios of a revision that count, as `leg name`.
 *
 * @param {string} listing
 * @returns {ReadonlySet<string>}
 */
export function readRequired(listing) {
  return new Set(readEntries(listing).map(({ leg, entry }) => `${leg} ${entry}`))
}

/**
 * @param {string} listing
 * @returns {{ leg: Leg, entry: string }[]}
 */
function readEntries(listing) {
  const entries = []
  /** @type {Leg | undefined} */
  let leg
  for (const line of listing.split('\n')) {
    if (/^\w/.test(line)) leg = legOf(line)
    const [, entry] = /^\s+- (.+)$/.exec(line) ?? []
    if (leg !== undefined && entry !== undefined) entries.push({ leg, entry })
  }
  return entries
}

/** @param {string} heading @returns {Leg | undefined} */
function legOf(heading) {
  if (heading.startsWith('Server scenarios ')) return 'server'
  // Of authorization servers there is none here, and what is not scored has a heading of its own.
  return heading.startsWith('Client scenarios ') ? 'client' : undefined
}
