import { expandBraces } from './expand-braces.ts'
import { compileName, type MatchName } from './match-name.ts'

/** Whether a path fits; its parts are separated by slashes, and it begins with none. */
export type MatchPath = (path: string) => boolean

/**
 * Compiles a pattern: `*`, `?`, `[a-z]`, `{a,b}`, `**` for any number of folders, `!` in front for everything else. Names
 * with a dot in front are names like any other. No pattern takes more than path times pattern steps. Throws a `ToolError` that
 * says what to write instead at what is not supported.
 */
export function compileGlob(pattern: string): MatchPath {
  if (pattern.startsWith('#')) return () => false // a comment, by custom
  const bare = pattern.replace(/^!+/, '')
  const isNegated = (pattern.length - bare.length) % 2 === 1
  const alternatives = expandBraces(bare).map((brace) =>
    compilePlainGlob(brace.replace(/^\.?\//, '')),
  )
  const [only] = alternatives
  const match: MatchPath =
    only !== undefined && alternatives.length === 1
      ? only
      : (path) => alternatives.some((alternative) => alternative(path))
  return isNegated ? (path) => !match(path) : match
}

/** Any number of folders. */
const anyDepth = Symbol('**')
type Part = MatchName | typeof anyDepth

/** The same without alternatives and without a `!` in front: what they are written with are letters like any other. */
export function compilePlainGlob(pattern: string): MatchPath {
  const names = pattern.split('/')
  const isDeep = names.at(-1) === '**'
  // What ends in ** wants something there: `a/**` is all that is in a, not a.
  const parts = [...names, ...(isDeep ? ['*'] : [])].map((name): Part =>
    name === '**' ? anyDepth : compileName(name),
  )
  const [first, second] = parts
  if (parts.length === 1 && first !== undefined && first !== anyDepth) {
    return (path) => !path.includes('/') && first(path)
  }
  if (parts.length === 2 && first === anyDepth && second !== undefined && second !== anyDepth) {
    return (path) => second(path.slice(path.lastIndexOf('/') + 1))
  }
  return (path) => matchParts(parts, path.split('/'))
}

/** Only the last `**` is ever taken back, as with the stars in a name. */
function matchParts(parts: readonly Part[], names: readonly string[]): boolean {
  let [part, at, deepPart, deepAt] = [0, 0, -1, 0]
  while (at < names.length) {
    const current = parts[part]
    if (current === anyDepth) {
      deepPart = part
      deepAt = at
      part += 1
    } else if (current?.(names[at] ?? '') === true) {
      part += 1
      at += 1
    } else if (deepPart !== -1) {
      part = deepPart + 1
      deepAt += 1
      at = deepAt
    } else return false
  }
  while (parts[part] === anyDepth) part += 1
  return part === parts.length
}
