/** Whether one character, given as its code point or code unit, is accepted. */
export type CharacterTest = (code: number) => boolean

/** The parsed pattern, before an automaton is built from it. */
export type PatternTree =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'assertion'; readonly assertion: 'start' | 'end' }
  | { readonly kind: 'sequence'; readonly items: readonly PatternTree[] }
  | { readonly kind: 'choice'; readonly items: readonly PatternTree[] }
  | {
      readonly kind: 'repeat'
      readonly item: PatternTree
      readonly min: number
      readonly max: number
    }

/** Look-around, back-references, `\b`, or more of anything than is reasonable. */
export class Unsupported extends Error {}

const maxGroupDepth = 200

// Each reads one thing at the current position, and only what holds one character is left to `RegExp`.
const groupStart = /\((?:\?:|\?<(?![=!])[^>]*>|(?!\?))/y
const characterClass = /\[(?:[^\]\\]|\\[^])*\]/y
const surrogatePair = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/y
const escape =
  /\\(?:[dDwWsSnrtvf]|0(?!\d)|c[A-Za-z]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\}|[^A-Za-z\d])/y
const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y

/** Reads an ECMA-262 pattern that `RegExp` accepts; throws {@link Unsupported} at what needs backtracking. */
export function readPattern(source: string, isUnicode: boolean): PatternTree {
  const tests = new Map<string, CharacterTest>()
  let position = 0
  const tree = readChoice(0)
  if (position < source.length) throw new Unsupported()
  return tree

  function take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = position
    const match = expression.exec(source)
    if (match) position += match[0].length
    return match
  }

  function readChoice(depth: number): PatternTree {
    if (depth > maxGroupDepth) throw new Unsupported()
    const items = [readSequence(depth)]
    while (source[position] === '|') {
      position += 1
      items.push(readSequence(depth))
    }
    return { kind: 'choice', items }
  }

  function readSequence(depth: number): PatternTree {
    const items: PatternTree[] = []
    while (position < source.length && source[position] !== '|' && source[position] !== ')') {
      items.push(readQuantified(depth))
    }
    return { kind: 'sequence', items }
  }

  function readQuantified(depth: number): PatternTree {
    const item = readAtom(depth)
    const match = take(quantifier)
    if (!match) return item
    const [, sign, from, comma, to] = match
    if (sign !== undefined) {
      return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
    }
    const min = Number(from)
    const max = comma === undefined ? min : to === '' ? Infinity : Number(to)
    return { kind: 'repeat', item, min, max }
  }

  function readAtom(depth: number): PatternTree {
    if (take(groupStart)) {
      const group = readChoice(depth + 1)
      if (source[position] !== ')') throw new Unsupported()
      position += 1
      return group
    }
    const match = take(characterClass) ?? (isUnicode ? take(surrogatePair) : null) ?? take(escape)
    if (match) return { kind: 'character', test: testBy(match[0]) }
    const code = (isUnicode ? source.codePointAt(position) : source.charCodeAt(position)) ?? 0
    const character = String.fromCodePoint(code)
    if ('\\()[]{}*+?'.includes(character)) throw new Unsupported()
    position += character.length
    if (character === '^') return { kind: 'assertion', assertion: 'start' }
    if (character === '$') return { kind: 'assertion', assertion: 'end' }
    return { kind: 'character', test: character === '.' ? testBy('.') : (other) => other === code }
  }

  /** Exactly what `RegExp` accepts: a single character leaves it nothing to backtrack over. */
  function testBy(atom: string): CharacterTest {
    const existing = tests.get(atom)
    if (existing) return existing
    if (!isUnicode && /^\\(?:[pP]|u\{)/.test(atom)) throw new Unsupported()
    const expression = new RegExp(`^${atom}$`, isUnicode ? 'u' : '')
    const test: CharacterTest = (code) => expression.test(String.fromCodePoint(code))
    tests.set(atom, test)
    return test
  }
}
