/** Requirement ids as people write them: `BASE-06`, `LIFE-01, LIFE-02`, `ELIC-07..11`. */

const id = String.raw`[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-\d{2,}`
const idOrRange = String.raw`${id}(?:\.\.(?:${id}|\d{2,}))?`
const bracketed = new RegExp(String.raw`\[(${idOrRange}(?:,\s*${idOrRange})*)\]`, 'g')
const exactId = new RegExp(String.raw`^${id}$`)
const exactList = new RegExp(String.raw`^${idOrRange}(?:,\s*${idOrRange})*$`)

/** @param {string} text */
export function isRequirementId(text) {
  return exactId.test(text)
}

/**
 * The area of an id: `N11-BASE` of `N11-BASE-01`.
 *
 * @param {string} requirementId
 */
export function areaOf(requirementId) {
  return requirementId.slice(0, requirementId.lastIndexOf('-'))
}

/**
 * Every id named in brackets in a text; other brackets are prose and mean nothing.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function findBracketedIds(text) {
  return [...text.matchAll(bracketed)].flatMap((match) => expandIds(match[1] ?? ''))
}

/**
 * The ids of a list with ranges, or none if the text is not such a list.
 *
 * @param {string} list
 * @returns {string[]}
 */
export function expandIds(list) {
  if (!exactList.test(list)) return []
  return list.split(/,\s*/).flatMap(expandRange)
}

/**
 * Ids in short form, the reverse of `expandIds`: three or more in a row become a range.
 *
 * @param {readonly string[]} ids in ascending order
 */
export function compactIds(ids) {
  /** @type {string[][]} */
  const runs = []
  for (const one of ids) {
    const run = runs.at(-1)
    const previous = run?.at(-1)
    if (run && previous !== undefined && isNext(previous, one)) run.push(one)
    else runs.push([one])
  }
  return runs
    .flatMap((run) => (run.length > 2 ? [`${run[0]}..${numberPart(run.at(-1) ?? '')}`] : run))
    .join(', ')
}

/** @param {string} text @returns {string[]} */
function expandRange(text) {
  const [first = '', last] = text.split('..')
  if (last === undefined) return [first]
  const area = areaOf(first)
  if (last.includes('-') && areaOf(last) !== area) return [first, last] // two areas are no range
  const width = numberPart(first).length
  const from = Number(numberPart(first))
  const to = Number(last.includes('-') ? numberPart(last) : last)
  const count = Math.max(0, to - from + 1)
  return Array.from(
    { length: count },
    (_, step) => `${area}-${String(from + step).padStart(width, '0')}`,
  )
}

/** @param {string} previous @param {string} next */
function isNext(previous, next) {
  return (
    areaOf(previous) === areaOf(next) &&
    Number(numberPart(previous)) + 1 === Number(numberPart(next))
  )
}

/** @param {string} requirementId */
function numberPart(requirementId) {
  return requirementId.slice(requirementId.lastIndexOf('-') + 1)
}
