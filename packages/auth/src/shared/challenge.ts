/** One scheme of a `WWW-Authenticate` header, with what it says. */
export interface Challenge {
  /** In lower case: `bearer`, `dpop`. */
  readonly scheme: string
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

/** More than any server has to say; longer headers are not read at all. */
const maxLength = 8192

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
// A quoted string holds no control character but a tab: what could end a line is no challenge.
const quoted =
  '"((?:[\\t\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*)"'
const gap = /[ \t,]*/y
const blank = /[ \t]+/y
const schemeName = new RegExp(`${token}(?=[ \\t,]|$)`, 'y')
const token68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y
const parameter = new RegExp(
  `(${token})[ \\t]*=[ \\t]*(?:${quoted}|(${token}))(?=[ \\t]*(?:,|$))`,
  'y',
)

/**
 * Reads `WWW-Authenticate` by the grammar of RFC 9110 section 11.6.1. Total: a header that breaks the grammar, names a
 * parameter twice or is longer than 8 kB holds no challenge.
 */
export function parseChallenges(header: string | undefined): readonly Challenge[] {
  if (header === undefined || header.length > maxLength) return []
  const challenges: Challenge[] = []
  let at = 0
  let isSeparated = true

  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(header ?? '')
    if (found === null) return undefined
    at += found[0].length
    return found
  }

  function takeGap(): boolean {
    return take(gap)?.[0].includes(',') === true
  }

  for (;;) {
    isSeparated = takeGap() || isSeparated
    if (at === header.length) return challenges
    if (!isSeparated) return []
    const scheme = take(schemeName)?.[0]
    if (scheme === undefined) return []
    const parameters = new Map<string, string>()
    isSeparated = false
    if (take(blank) !== undefined && take(token68) === undefined) {
      for (let found = take(parameter); found !== undefined; found = take(parameter)) {
        const [, name = '', text, plain = ''] = found
        const key = name.toLowerCase()
        if (parameters.has(key)) return []
        parameters.set(key, text === undefined ? plain : text.replaceAll(/\\(.)/g, '$1'))
        isSeparated = takeGap()
      }
    }
    challenges.push({ scheme: scheme.toLowerCase(), parameters })
  }
}

/** The first challenge of a scheme, or of the first of several schemes that is there. */
export function findChallenge(
  challenges: readonly Challenge[],
  ...schemes: readonly string[]
): Challenge | undefined {
  for (const scheme of schemes) {
    const found = challenges.find((challenge) => challenge.scheme === scheme)
    if (found !== undefined) return found
  }
  return undefined
}

/** Writes one challenge; parameters that are `undefined` are left out. */
export function formatChallenge(
  scheme: string,
  parameters: { readonly [name: string]: string | undefined } = {},
): string {
  if (!isToken(scheme))
    throw new TypeError(`not an authentication scheme: ${JSON.stringify(scheme)}`)
  const parts = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (!isToken(name)) throw new TypeError(`not a parameter name: ${JSON.stringify(name)}`)
    return [`${name}=${quoteParameter(value)}`]
  })
  return parts.length === 0 ? scheme : `${scheme} ${parts.join(', ')}`
}

/** The one way text gets into a header of ours: quoted, and refused if it could end the line. */
export function quoteParameter(value: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new TypeError(
      'a header parameter must not hold control characters, nor those past Latin-1',
    )
  }
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

const wholeToken = new RegExp(`^${token}$`)

function isToken(text: string): boolean {
  return wholeToken.test(text)
}
