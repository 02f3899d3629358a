/** One place of a pattern: a letter, any letter, one of some, or any number of letters. */
type Token =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'class'; readonly isNegated: boolean; readonly ranges: readonly Range[] }
type Range = readonly [from: string, to: string]

/** Whether a name fits. */
export type MatchName = (name: string) => boolean

/** Compiles the part of a pattern between two slashes. Takes time in proportion to name times pattern, whatever both are. */
export function compileName(pattern: string): MatchName {
  if (pattern === '*') return (name) => name !== ''
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern
  const [, suffix] = /^\*([^*?[\\]+)$/.exec(pattern) ?? []
  if (suffix !== undefined) return (name) => name.endsWith(suffix)
  const tokens = readTokens(pattern)
  return (name) => matches(tokens, name)
}

function readTokens(pattern: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at] ?? ''
    const end = letter === '[' ? classEnd(pattern, at) : -1
    if (letter === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    } else if (letter === '?') tokens.push({ kind: 'any' })
    else if (end !== -1) {
      tokens.push(readClass(pattern.slice(at + 1, end)))
      at = end
    } else if (letter === '\\' && at + 1 < pattern.length) {
      at += 1
      tokens.push({ kind: 'letter', letter: pattern[at] ?? '' })
    } else tokens.push({ kind: 'letter', letter })
  }
  return tokens
}

/** Where a class ends; a bracket right at its start is a letter of it. */
function classEnd(pattern: string, start: number): number {
  const first = /[!^]/.test(pattern[start + 1] ?? '') ? start + 2 : start + 1
  for (let at = first; at < pattern.length; at += 1) {
    if (pattern[at] === ']' && at > first) return at
    const named = pattern[at] === '[' ? namedClass.exec(pattern.slice(at)) : null
    if (named) at += named[0].length - 1
  }
  return -1
}

/** `[:digit:]`, inside of a class. */
const namedClass = /^\[:([a-z]+):\]/
const namedRanges: { readonly [name: string]: readonly Range[] | undefined } = {
  alnum: [
    ['0', '9'],
    ['A', 'Z'],
    ['a', 'z'],
  ],
  alpha: [
    ['A', 'Z'],
    ['a', 'z'],
  ],
  blank: [
    [' ', ' '],
    ['\t', '\t'],
  ],
  cntrl: [
    ['\0', '\x1f'],
    ['\x7f', '\x7f'],
  ],
  digit: [['0', '9']],
  graph: [['!', '~']],
  lower: [['a', 'z']],
  print: [[' ', '~']],
  punct: [
    ['!', '/'],
    [':', '@'],
    ['[', '`'],
    ['{', '~'],
  ],
  space: [
    [' ', ' '],
    ['\t', '\r'],
  ],
  upper: [['A', 'Z']],
  xdigit: [
    ['0', '9'],
    ['A', 'F'],
    ['a', 'f'],
  ],
}

function readClass(text: string): Token {
  const isNegated = /^[!^]/.test(text)
  const letters = isNegated ? text.slice(1) : text
  const ranges: Range[] = []
  for (let at = 0; at < letters.length; at += 1) {
    const named = letters[at] === '[' ? namedClass.exec(letters.slice(at)) : null
    if (named) {
      ranges.push(...(namedRanges[named[1] ?? ''] ?? []))
      at += named[0].length - 1
      continue
    }
    const from = letters[at] ?? ''
    const to = letters[at + 2]
    if (letters[at + 1] === '-' && to !== undefined) {
      ranges.push([from, to])
      at += 2
    } else ranges.push([from, from])
  }
  return { kind: 'class', isNegated, ranges }
}

/** Only the last star is ever taken back, since an earlier one could not do better. */
function matches(tokens: readonly Token[], name: string): boolean {
  let [token, at, starToken, starAt] = [0, 0, -1, 0]
  while (at < name.length) {
    const current = tokens[token]
    if (current?.kind === 'star') {
      starToken = token
      starAt = at
      token += 1
    } else if (current && fits(current, name[at] ?? '')) {
      token += 1
      at += 1
    } else if (starToken !== -1) {
      token = starToken + 1
      starAt += 1
      at = starAt
    } else return false
  }
  while (tokens[token]?.kind === 'star') token += 1
  return token === tokens.length
}

function fits(token: Token, letter: string): boolean {
  if (token.kind === 'letter') return token.letter === letter
  if (token.kind !== 'class') return token.kind === 'any'
  return token.ranges.some(([from, to]) => from <= letter && letter <= to) !== token.isNegated
}
