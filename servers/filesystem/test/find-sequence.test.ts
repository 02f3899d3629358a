import fc from 'fast-check'
import { expect, test } from 'vitest'

import { findSequence } from '../src/find-sequence.ts'

test('finds what indexOf finds', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 })
  fc.assert(
    fc.property(text, text, (items, wanted) => {
      expect(findSequence(items, wanted)).toBe(items.indexOf(wanted))
    }),
    {
      examples: [
        ['', ''],
        ['aab', 'ab'],
        ['abcabd', 'abd'],
      ].map(([a = '', b = '']) => [a, b]),
    },
  )
})

test.each([
  ['ends otherwise', (size: number) => `${'a'.repeat(size / 2)}b`],
  ['begins otherwise', (size: number) => `b${'a'.repeat(size / 2)}`],
  ['alternates', (size: number) => `${'ab'.repeat(size / 4)}b`],
])('looks at each letter a few times at most, also where what is wanted %s', (_, wantedOf) => {
  const size = 20_000
  let looks = 0
  const counted = (text: string) =>
    new Proxy(
      { length: text.length },
      {
        get(target, key) {
          if (key === 'length') return target.length
          looks += 1
          return text[Number(key)]
        },
      },
    ) as ArrayLike<string> // its letters are read by number, like those of any other
  const wanted = wantedOf(size)

  expect(findSequence(counted('a'.repeat(size)), counted(wanted))).toBe(-1)

  expect(looks).toBeLessThan(10 * (size + wanted.length))
})
