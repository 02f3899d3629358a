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
export function compareVersions(one: ComparedVersion, other: ComparedVersion): number {
  const first = parseSemver(one.version)
  const second = parseSemver(other.version)
  if (first !== undefined && second !== undefined) return compareSemver(first, second)
  if (first !== undefined) return 1
  if (second !== undefined) return -1
  if (one.publishedAt !== other.publishedAt) return one.publishedAt > other.publishedAt ? 1 : -1
  return one.id - other.id
}

/** The highest of a list; undefined for an empty one. */
export function highestVersion<T extends ComparedVersion>(versions: readonly T[]): T | undefined {
  let highest: T | undefined
  for (const one of versions) {
    if (highest === undefined || compareVersions(one, highest) > 0) highest = one
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

function compareSemver(one: Semver, other: Semver): number {
  for (const [index, part] of one.core.entries()) {
    const order = compareNumbers(part, other.core[index] ?? '')
    if (order !== 0) return order
  }
  if (one.prerelease.length === 0 || other.prerelease.length === 0) {
    return other.prerelease.length - one.prerelease.length
  }
  for (const [index, part] of one.prerelease.entries()) {
    const against = other.prerelease[index]
    if (against === undefined) return 1
    const order = compareIdentifiers(part, against)
    if (order !== 0) return order
  }
  return one.prerelease.length - other.prerelease.length
}

function compareIdentifiers(one: string, other: string): number {
  const isNumber = /^\d+$/.test(one)
  const isOtherNumber = /^\d+$/.test(other)
  if (isNumber && isOtherNumber) return compareNumbers(one, other)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return compareTexts(one, other)
}

/** As text: there is no limit to how long a number may be. */
function compareNumbers(one: string, other: string): number {
  return one.length === other.length ? compareTexts(one, other) : one.length - other.length
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0
  return one > other ? 1 : -1
}
