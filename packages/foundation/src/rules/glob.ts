/**
 * Patterns of rules and profiles: `*`, `?`, `{a,b}`, `${name}` and `\\` before a sign that is meant as text. A pattern answers
 * two questions: does it match exactly (`matches`, for rules that allow), and does it match anything that looks alike (`catches`,
 * for rules that ask or deny).
 *
 * Matching takes time in proportion to text and pattern. `argument-pattern.ts` uses it for paths, URLs and texts; names of
 * servers and tools are matched by it directly.
 */

import { foldName } from '../text-safety/index.ts'

/** A pattern for names and values. */
export interface Glob {
  /** Whether the whole text fits. `ignoreCase` is for arguments in rules that forbid: a path in other letters is the same one to many systems. */
  matches(text: string, options?: { readonly ignoreCase?: boolean | undefined }): boolean
  /** The same for a name of a server or tool, for rules that ask or forbid: also a name that looks like one that fits. */
  catches(name: string): boolean
  /** It fits one text only. */
  readonly isLiteral: boolean
  /** It fits every text. */
  readonly isAnything: boolean
  /** The folders before the first wildcard, each variant by itself: `/srv/a` of `/srv/a/*.txt`. */
  readonly folders: readonly string[]
  /** The same pattern with another folder at the beginning of each variant. */
  withFolders(change: (folder: string) => string): Glob
}

/** How a pattern is read. */
export interface GlobOptions {
  /** `*` and `?` stop at `/`, and `**` does not. @defaultValue false */
  readonly isPath?: boolean | undefined
  /** The values of `${name}`. A value is plain text: its characters are no wildcards. */
  readonly variables?: { readonly [name: string]: string | undefined } | undefined
}

/** Why a pattern cannot be used, in words. */
export interface GlobProblem {
  /** The problem. */
  readonly message: string
  /** The text to write instead. */
  readonly fix: string
}

/** One sign of text, `?`, `*` or `**`. */
type Token = string | typeof singleCharacter | typeof some | typeof all

const singleCharacter = Symbol('one')
const some = Symbol('some')
const all = Symbol('all')

const maxPatternLength = 2_000
const maxVariants = 256

/** Reads `*`, `?`, `{a,b}`, `${name}` and `\` before a sign that is meant as text. Matching never goes back further than one star. */
export function compileGlob(pattern: string, options: GlobOptions = {}): Glob | GlobProblem {
  if (pattern.length > maxPatternLength) {
    return {
      message: `is ${pattern.length} characters long`,
      fix: `Use at most ${maxPatternLength}.`,
    }
  }
  const variants = readVariants(pattern, options)
  return Array.isArray(variants) ? globOf(variants, options.isPath === true) : variants
}

/** Whether compiling failed. */
export function isGlobProblem(glob: Glob | GlobProblem): glob is GlobProblem {
  return 'fix' in glob
}

/** A name as a pattern that fits nothing else. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*?{},]|\$(?=\{)/g, String.raw`\$&`)
}

function globOf(variants: readonly (readonly Token[])[], isPath: boolean): Glob {
  const folded = variants.map((tokens) => tokens.map((token) => fold(token)))
  const folders = variants.map((tokens) => folderOf(tokens))
  let looks: readonly (readonly Token[])[] | undefined
  const matches: Glob['matches'] = (text, { ignoreCase = false } = {}) =>
    ignoreCase
      ? folded.some((tokens) => fits(tokens, text.toLowerCase(), isPath))
      : variants.some((tokens) => fits(tokens, text, isPath))
  return {
    matches,
    catches(name) {
      if (matches(name, { ignoreCase: true })) return true
      looks ??= variants.map((tokens) => looksOf(tokens))
      return looks.some((tokens) => fits(tokens, foldName(name), isPath))
    },
    isLiteral:
      variants.length === 1 && variants[0]?.every((token) => typeof token === 'string') === true,
    isAnything: variants.some(
      (tokens) =>
        tokens.length > 0 && tokens.every((token) => token === all || (token === some && !isPath)),
    ),
    folders,
    withFolders: (change) =>
      globOf(
        variants.map((tokens, at) => {
          const folder = folders[at] ?? ''
          return [...change(folder).split(''), ...tokens.slice(folder.length)]
        }),
        isPath,
      ),
  }
}

function fold(token: Token): Token {
  return typeof token === 'string' ? token.toLowerCase() : token
}

/** The text between wildcards as it looks. Letters are folded one by one, so no wildcard parts what belongs together. */
function looksOf(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token, at): Token[] => {
    if (typeof token !== 'string') return [token]
    if (typeof tokens[at - 1] === 'string') return [] // part of the text before
    const end = tokens.findIndex((later, index) => index > at && typeof later !== 'string')
    return foldName(tokens.slice(at, end === -1 ? undefined : end).join('')).split('')
  })
}

/** Up to the last `/` before a wildcard. Tokens of text are one code unit each. */
function folderOf(tokens: readonly Token[]): string {
  const wildcard = tokens.findIndex((token) => typeof token !== 'string')
  const text = tokens.slice(0, wildcard === -1 ? tokens.length : wildcard).join('')
  return text.slice(0, Math.max(0, text.lastIndexOf('/')))
}

/** Goes back to the last `*`, and from there to the last `**`: what comes before them is best where it first fits. */
function fits(tokens: readonly Token[], text: string, isPath: boolean): boolean {
  let [at, token] = [0, 0]
  let star: { token: number; at: number } | undefined
  let stars: { token: number; at: number } | undefined
  while (at < text.length || token < tokens.length) {
    const wanted = tokens[token]
    if (wanted === some && isPath) {
      star = { token: ++token, at }
      continue
    }
    if (wanted === some || wanted === all) {
      star = undefined
      stars = { token: ++token, at }
      continue
    }
    if (at < text.length && wanted !== undefined && fitsSign(wanted, text[at] ?? '', isPath)) {
      at += 1
      token += 1
      continue
    }
    if (star !== undefined && star.at < text.length && text[star.at] !== '/') {
      star.at += 1
      at = star.at
      token = star.token
      continue
    }
    if (stars === undefined || stars.at >= text.length) return false
    star = undefined
    stars.at += 1
    at = stars.at
    token = stars.token
  }
  return true
}

function fitsSign(token: Token, sign: string, isPath: boolean): boolean {
  return token === singleCharacter ? !isPath || sign !== '/' : token === sign
}

/** All variants that the braces of a pattern stand for. */
function readVariants(
  pattern: string,
  { variables = {} }: GlobOptions,
): (readonly Token[])[] | GlobProblem {
  let at = 0
  const problems: GlobProblem[] = []
  const addProblem = (message: string, fix: string): void => void problems.push({ message, fix })

  function sequence(isInBraces: boolean): (readonly Token[])[] {
    let variants: (readonly Token[])[] = [[]]
    const append = (next: readonly (readonly Token[])[]): void => {
      if (variants.length * next.length > maxVariants) {
        addProblem(`stands for more than ${maxVariants} variants`, 'Use fewer braces, or a star.')
        return
      }
      variants = variants.flatMap((before) => next.map((after) => [...before, ...after]))
    }
    while (at < pattern.length && problems.length === 0) {
      const sign = pattern[at] ?? ''
      if (isInBraces && (sign === ',' || sign === '}')) return variants
      at += 1
      if (sign === '\\') append([[pattern[at++] ?? '\\']])
      else if (sign === '$' && pattern[at] === '{') append([variable()])
      else if (sign === '{') append(braces())
      else if (sign === '}')
        addProblem('has "}" without "{"', String.raw`Write \} for the sign itself.`)
      else if (sign === '?') append([[singleCharacter]])
      else if (sign === '*' && pattern[at] === '*') {
        at += 1
        append([[all]])
      } else append([[sign === '*' ? some : sign]])
    }
    return variants
  }

  function braces(): (readonly Token[])[] {
    const variants = sequence(true)
    while (pattern[at] === ',') {
      at += 1
      variants.push(...sequence(true))
    }
    if (pattern[at] !== '}')
      addProblem('has "{" without "}"', String.raw`Write \{ for the sign itself.`)
    at += 1
    return variants
  }

  function variable(): readonly Token[] {
    const end = pattern.indexOf('}', at)
    const name = pattern.slice(at + 1, end === -1 ? undefined : end)
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (end === -1 || value === undefined) {
      const names = Object.keys(variables)
        .filter((each) => variables[each] !== undefined)
        .map((each) => `\${${each}}`)
      const fix = names.length === 0 ? 'Write the value itself.' : `Use ${names.join(' or ')}.`
      addProblem(`has \${${name}}, which has no value here`, fix)
    }
    at = end === -1 ? pattern.length : end + 1
    return (value ?? '').split('')
  }

  const variants = sequence(false)
  return problems[0] ?? variants
}
