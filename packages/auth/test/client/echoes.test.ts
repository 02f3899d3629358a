import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { withoutEchoes } from '../../src/client/tokens/presented-secrets.ts'

describe('words of an issuer', () => {
  test('stay as they are where they repeat nothing', () => {
    expect(withoutEchoes('the code has expired', ['d8Hs-x93kKq0', 'other-secret'])).toBe(
      'the code has expired',
    )
  })

  test('lose a secret, also a short one, also a piece of one [ASEC-04]', () => {
    expect(withoutEchoes('code d8Hs-x93kKq0 is spent', ['d8Hs-x93kKq0'])).toBe('code ••• is spent')
    expect(withoutEchoes('pin 1234?', ['1234'])).toBe('pin •••?')
    expect(withoutEchoes('begins with d8Hs-x93k…', ['d8Hs-x93kKq0'])).toBe('begins with •••…')
  })

  test('hold no eight letters in a row of what was presented', () => {
    const secret = fc.string({ minLength: 8, maxLength: 60 })
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), fc.nat(52), (given, before, after, from) => {
        const shown = withoutEchoes(before + given.slice(from) + after + given, [given])

        const pieces = Array.from({ length: given.length - 7 }, (_, at) => given.slice(at, at + 8))
        const left = shown.split('•••')
        expect(left.filter((text) => pieces.some((piece) => text.includes(piece)))).toEqual([])
      }),
    )
  })
})
