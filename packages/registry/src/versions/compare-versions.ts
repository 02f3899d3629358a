/** A version as the registry orders it: by its text, and by when it was published. */
export interface ComparedVersion {
  /** The version, as it was published. */
  readonly version: string
  /** ISO 8601 in UTC with milliseconds, so that text order is time order. */
  readonly publishedAt: string
  /** Later publications have greater numbers; decides when two times are equal. */
  readonly id: number
}

/**
 * Above zero if the first is higher. Semantic versions by their rules; two others by publication; a semantic version is
 * higher than one that is none.
 */
export function compareVersions(a: ComparedVersion, b: ComparedVersion): number {
  const first = parseSemver(a.version)
  const second = parseSemver(b.version)
  if (first !== undefined && second !== undefined) return compareSemver(first, second)
  if (first !== undefined) return 1
  if (second !== undefined) return -1
  if (a.publishedAt !== b.publishedAt) return a.publishedAt > b.publishedAt ? 1 : -1
  return a.id - b.id
}

/** The highest of a list; undefined for an empty one. */
export function highestVersion<T extends ComparedVersion>(versions: readonly T[]): T | undefined {
  let highest: T | undefined
  for (const version of versions) {
    if (highest === undefined || compareVersions(version, highest) > 0) highest = version
  }
  return highest
}

interface Semver {
  readonly core: readonly string[]
  readonly prerelease: readonly string[]
}

const number = '(0|[1-9]\\d*)'
const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*'
const semver = new RegExp(
  `^v?${number}\\.${number}\\.${number}(?:-(${identifiers}))?(?:\\+${identifiers})?$`,
)

/** Exactly three numbers without leading zeros; `v1.2.3` counts, `2025.06.18` does not. */
function parseSemver(version: string): Semver | undefined {
  const found = semver.exec(version)
  if (found === null) return undefined
  const [, major = '', minor = '', patch = '', tail] = found
  const prerelease = tail === undefined ? [] : tail.split('.')
  if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined
  return { core: [major, minor, patch], prerelease }
}

function compareSemver(a: Semver, b: Semver): number {
  for (const [index, part] of a.core.entries()) {
    const order = compareNumbers(part, b.core[index] ?? '')
    if (order !== 0) return order
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return b.prerelease.length - a.prerelease.length
  }
  for (const [index, part] of a.prerelease.entries()) {
    const against = b.prerelease[index]
    if (against === undefined) return 1
    const order = compareIdentifiers(part, against)
    if (order !== 0) return order
  }
  return a.prerelease.length - b.prerelease.length
}

function compareIdentifiers(a: string, b: string): number {
  const isNumber = /^\d+$/.test(a)
  const isOtherNumber = /^\d+$/.test(b)
  if (isNumber && isOtherNumber) return compareNumbers(a, b)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return compareTexts(a, b)
}

/** As text: there is no limit to how long a number may be. */
function compareNumbers(a: string, b: string): number {
  return a.length === b.length ? compareTexts(a, b) : a.length - b.length
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a > b ? 1 : -1
}
