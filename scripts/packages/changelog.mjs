/** From the files in `.changeset` to a section of CHANGELOG.md. */

/** @typedef {'major' | 'minor' | 'patch'} Bump */

/**
 * @typedef {object} Change
 * @property {Bump} bump the largest that the file names
 * @property {string} text
 */

const headings = /** @type {const} */ ({ major: 'Changed', minor: 'Added', patch: 'Fixed' })

/**
 * Reads a file that `npm run changeset` wrote.
 *
 * @param {string} file
 * @returns {Change}
 */
export function parseChange(file) {
  const [, head = '', text = ''] = /^---\n([\s\S]*?)---\n([\s\S]*)$/.exec(file) ?? []
  const bumps = [...head.matchAll(/: (major|minor|patch)$/gm)].map(([, bump]) => bump)
  const bump = /** @type {const} */ (['major', 'minor', 'patch']).find((one) => bumps.includes(one))
  if (bump === undefined || text.trim() === '') {
    throw new Error(
      `a file in .changeset must name packages with major, minor or patch, and have a text:\n${file}`,
    )
  }
  return { bump, text: text.trim() }
}

/**
 * The changelog with a new section above the others.
 *
 * @param {string} changelog
 * @param {{ version: string, date: string, changes: readonly Change[] }} release
 */
export function addRelease(changelog, { version, date, changes }) {
  const lines = [`## [${version}] - ${date}`, '']
  for (const [bump, heading] of Object.entries(headings)) {
    const texts = changes.filter((change) => change.bump === bump).map(({ text }) => text)
    if (texts.length === 0) continue
    lines.push(
      `### ${heading}`,
      '',
      ...texts.map((text) => `- ${text.replaceAll('\n', '\n  ')}`),
      '',
    )
  }
  const at = changelog.search(/^## /m)
  if (at < 0) return `${changelog.trimEnd()}\n\n${lines.join('\n')}`
  return `${changelog.slice(0, at)}${lines.join('\n')}\n${changelog.slice(at)}`
}
