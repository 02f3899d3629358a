import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  findChallenge,
  formatChallenge,
  parseChallenges,
  quoteParameter,
} from '../../src/shared/challenge.ts'

function shown(header: string) {
  return parseChallenges(header).map(({ scheme, parameters }) => [
    scheme,
    Object.fromEntries(parameters),
  ])
}

describe('reading WWW-Authenticate [ADISC-04]', () => {
  test.each<[string, string, unknown]>([
    ['a scheme alone', 'Bearer', [['bearer', {}]]],
    [
      'quoted and plain values',
      'Bearer resource_metadata="https://a.example/x?y", scope="a b", error=invalid_token',
      [
        [
          'bearer',
          { resource_metadata: 'https://a.example/x?y', scope: 'a b', error: 'invalid_token' },
        ],
      ],
    ],
    [
      'several schemes, in any case',
      'BASIC realm="x", DPoP algs="ES256", error="use_dpop_nonce", bEARER Scope=a',
      [
        ['basic', { realm: 'x' }],
        ['dpop', { algs: 'ES256', error: 'use_dpop_nonce' }],
        ['bearer', { scope: 'a' }],
      ],
    ],
    [
      'a token68',
      'Negotiate YWJj==, Bearer',
      [
        ['negotiate', {}],
        ['bearer', {}],
      ],
    ],
    ['escapes', 'Bearer realm="a \\"b\\" \\\\ c"', [['bearer', { realm: 'a "b" \\ c' }]]],
    [
      'commas and equal signs in quotes',
      'Bearer realm="a, b=c"',
      [['bearer', { realm: 'a, b=c' }]],
    ],
    [
      'blanks around the equal sign',
      'Bearer realm = "x" , , scope= y',
      [['bearer', { realm: 'x', scope: 'y' }]],
    ],
    ['empty elements', ', ,Bearer realm="x",', [['bearer', { realm: 'x' }]]],
  ])('knows %s', (_, header, expected) => {
    expect(shown(header)).toEqual(expected)
  })

  test.each([
    ['a parameter twice', 'Bearer scope="a", scope="b"'],
    ['a parameter twice in other case', 'Bearer scope="a", SCOPE="b"'],
    ['a quote that does not end', 'Bearer scope="a'],
    ['no comma between parameters', 'Bearer scope="a" error="b"'],
    ['no comma between schemes', 'Bearer Basic realm="x"'],
    ['a line break', 'Bearer realm="a\r\nSet-Cookie: x"'],
    ['a value without quotes that needs them', 'Bearer resource_metadata=https://a.example'],
    ['nothing but signs', '="x"'],
    ['more than 8 kB', `Bearer realm="${'a'.repeat(9000)}"`],
  ])('takes %s for no challenge', (_, header) => {
    expect(parseChallenges(header)).toEqual([])
  })

  test('finds the first scheme of several wishes', () => {
    const challenges = parseChallenges('Basic, DPoP, Bearer')

    expect(findChallenge(challenges, 'bearer', 'dpop')?.scheme).toBe('bearer')
    expect(findChallenge(challenges, 'digest')).toBeUndefined()
    expect(parseChallenges(undefined)).toEqual([])
  })

  test('never throws, whatever a server sends', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (header) => void parseChallenges(header)))
    const piece = fc.constantFrom('Bearer', ' ', ',', '=', '"', '\\', 'scope', 'a', '\t', 'DPoP ')
    fc.assert(fc.property(fc.array(piece), (pieces) => void parseChallenges(pieces.join(''))))
  })
})

describe('writing WWW-Authenticate', () => {
  const name = fc.stringMatching(/^[a-z_]{1,12}$/)
  const value = fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,40}$/)

  test('what is written is read back', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (parameters) => {
        expect(shown(formatChallenge('Bearer', parameters))).toEqual([['bearer', parameters]])
      }),
    )
  })

  test('leaves out what is undefined', () => {
    expect(formatChallenge('Bearer', { scope: undefined, error: 'invalid_token' })).toBe(
      'Bearer error="invalid_token"',
    )
    expect(formatChallenge('Bearer')).toBe('Bearer')
  })

  test.each(['a\r\nb', 'a\nb', 'a\0b', 'a\u2028b', 'a\x7fb'])('refuses %j in a value', (bad) => {
    expect(() => quoteParameter(bad)).toThrow(TypeError)
  })

  test.each([
    ['Bear er', {}],
    ['Bearer', { 'a b': 'c' }],
    ['Bearer', { 'a"': 'c' }],
  ])('refuses the names %j %j', (scheme, parameters) => {
    expect(() => formatChallenge(scheme, parameters)).toThrow(TypeError)
  })
})
