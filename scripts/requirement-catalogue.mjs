/** Reads the catalogue in `docs/internals/requirements`: bullet lines, tables, and the list of what has no test on purpose. */

import { areaOf, expandIds, isRequirementId } from './requirement-ids.mjs'

/** @typedef {'MUST' | 'SHOULD' | 'MAY' | 'none'} Level */

/**
 * @typedef {object} Requirement
 * @property {string} id
 * @property {string} area
 * @property {Level} level MUST includes MUST NOT, SHOULD includes SHOULD NOT
 * @property {string} words the level as the page writes it: `MUST NOT`, `MAY / MUST`
 * @property {string} text
 */

const bullet = /^- \*\*([^*]+)\*\* (.*)$/
const leading = /^(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY)~? (.*)$/

/**
 * The requirements of one page, in its order. Struck-out lines are retired and left out.
 *
 * @param {string} markdown
 * @returns {Requirement[]}
 */
export function parseCatalogue(markdown) {
  const requirements = []
  /** @type {readonly string[] | undefined} */
  let header
  for (const line of markdown.split('\n')) {
    const cells = cellsOf(line)
    if (cells.length === 0) header = undefined
    const found = header ? parseRow(cells, header) : parseBullet(line)
    if (found) requirements.push(found)
    if (cells.length > 0) header ??= cells
  }
  return requirements
}

/**
 * The table `| id | reason |` of requirements that no test can show; the id may be a range or a list.
 *
 * @param {string} markdown
 * @returns {Map<string, string>} reason by id
 */
export function parseNotTested(markdown) {
  /** @type {Map<string, string>} */
  const reasons = new Map()
  for (const line of markdown.split('\n')) {
    const [ids = '', reason = ''] = cellsOf(line)
    if (reason === '') continue // a line without a reason excuses nothing
    for (const id of expandIds(ids)) reasons.set(id, reason)
  }
  return reasons
}

/** @param {string} line @returns {Requirement | undefined} */
function parseBullet(line) {
  const [, id = '', rest = ''] = bullet.exec(line) ?? []
  if (!isRequirementId(id)) return undefined
  const [, words, text] = leading.exec(rest) ?? []
  // Lines without a level settle a contradiction: what they resolve to is binding.
  const level = words === undefined ? 'MUST' : strongestOf(words)
  return { id, area: areaOf(id), level, words: words ?? level, text: text ?? rest }
}

/**
 * Only a table whose first column is `id` defines requirements; others merely speak about them.
 *
 * @param {readonly string[]} cells
 * @param {readonly string[]} header
 * @returns {Requirement | undefined}
 */
function parseRow([id = '', second = '', ...rest], header) {
  if (header[0] !== 'id' || !isRequirementId(id)) return undefined
  const area = areaOf(id)
  // Tables without a level settle a contradiction, as bullets without one do.
  if (header[1] !== 'level')
    return { id, area, level: 'MUST', words: 'MUST', text: [second, ...rest].join(' ') }
  const level = strongestOf(second)
  return { id, area, level, words: second, text: rest.slice(0, 2).join(': ') }
}

/** @param {string} words @returns {Level} */
function strongestOf(words) {
  if (words.includes('MUST')) return 'MUST'
  if (words.includes('SHOULD') || words.includes('[J]')) return 'SHOULD'
  if (words.includes('MAY')) return 'MAY'
  return 'none'
}

/** @param {string} line */
function cellsOf(line) {
  if (!line.startsWith('|')) return []
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim())
}
