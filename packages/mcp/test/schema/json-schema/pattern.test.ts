import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../../test-support/thorough.ts'
import { compileJsonSchema } from '../../../src/schema/json-schema/compile.ts'
import { createAutomaton } from '../../../src/schema/json-schema/patterns/automaton.ts'
import { createMatcher } from '../../../src/schema/json-schema/patterns/matcher.ts'
import { startRun } from '../../../src/schema/json-schema/run.ts'

const resource = {
  uri: 'schema:/',
  root: true,
  dialect: { version: 2020, hasValidation: true },
  anchors: new Map(),
} as const
const scope = { resource, outer: undefined }

/** The lock-step matcher itself, with no way out to `RegExp`. */
function matcherOf(source: string): ((text: string) => boolean) | undefined {
  const automaton = createAutomaton(source, true, 2_000)
  if (!automaton) return undefined
  const matcher = createMatcher(automaton, true)
  return (text) => matcher(text, startRun(10_000_000, scope, undefined))
}

const atoms = fc.constantFrom(
  'a', 'b', '-', '1', 'é', '😀', '.', '^', '$', '\\d', '\\W', '\\s', '\\.', '[ab]', '[^a]', '[a-z1]', '[]', '[^]',
  '[\\w.-]', '\\p{L}', '\\u0061', '\\u{1F600}', '\\ud83d\\ude00', '\\x61', '\\n', '',
) // prettier-ignore
const quantifiers = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '{0}')
const { pattern: patterns } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('part'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((choices) => choices.map((parts) => parts.join('')).join('|')),
  part: fc.oneof(
    { maxDepth: 2 },
    fc
      .tuple(atoms, quantifiers)
      .map(([atom, quantifier]) => (/^[$^]?$/.test(atom) ? atom : atom + quantifier)),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<name>'), tie('pattern'), quantifiers)
      .map(([open, inner, quantifier]) => `${open}${inner})${quantifier}`),
  ),
}))
const texts = fc
  .array(fc.constantFrom('a', 'b', '-', '1', 'é', '😀', '.', ' ', '\n', '\ud83d', 'z'), {
    maxLength: 7,
  })
  .map((characters) => characters.join(''))

test('agrees with RegExp about every pattern it takes', () => {
  fc.assert(
    fc.property(patterns, fc.array(texts, { maxLength: 8 }), (source, samples) => {
      // One name cannot be given to two groups, so such a pattern is no pattern.
      fc.pre((source.match(/\(\?<name>/g) ?? []).length < 2)
      const expression = new RegExp(source, 'u')
      // The only reason left is more states than a pattern may have.
      const matches = matcherOf(source)
      fc.pre(matches !== undefined)

      for (const text of ['', ...samples])
        expect([text, matches?.(text)]).toEqual([text, expression.test(text)])
    }),
    { numRuns: tries(1_000) },
  )
})

test.each([
  ['^[A-Z]{2,5}-\\d+$', ['AB-1', 'ABCDEF-1', 'ab-1', 'AB-']],
  ['^\\S+@\\S+\\.\\S+$', ['a@b.c', 'a@b', ' a@b.c']],
  ['^(?:\\d{1,3}\\.){3}\\d{1,3}$', ['1.2.3.4', '1.2.3', '1.2.3.4567']],
  ['x*', ['', 'y']],
  ['$^', ['', 'a']],
  ['a|^b$|', ['', 'b', 'cb']],
])('agrees with RegExp about %s', (source, samples) => {
  const expression = new RegExp(source, 'u')

  expect(samples.map((text) => matcherOf(source)?.(text))).toEqual(
    samples.map((text) => expression.test(text)),
  )
})

test('keeps giving right answers after forgetting what it remembered', () => {
  const matches = matcherOf('^[^\\d]+x$')
  const letters = Array.from({ length: 9_000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + index),
  ).join('')

  expect(matches?.(`${letters}x`)).toBe(true)
  expect(matches?.(letters)).toBe(false)
  expect(matches?.(`${letters}x`)).toBe(true)
})

test('takes patterns that escape more than the u flag allows', () => {
  const validate = compileJsonSchema({ pattern: '^[\\w\\_]+\\@\\"$' }, { untrusted: true })

  expect(validate('a_b@"')).toBeUndefined()
  expect(validate('a_b')).toHaveLength(1)
})

test('leaves what needs backtracking to RegExp in a trusted schema', () => {
  const validate = compileJsonSchema({ pattern: '^(?=.*\\d)(?=.*[a-z]).{4,}$' })

  expect(validate('abc1')).toBeUndefined()
  expect(validate('abcd')).toHaveLength(1)
})
