import { diffLines } from '@parley/foundation/diff'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('a comparison by lines', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'))

  test('without what was added it is the old text, without what was removed the new one', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after)
        const join = (left: 'added' | 'removed') =>
          lines.flatMap((line) => (line.kind === left ? [] : [line.text])).join('\n')

        expect(join('added')).toBe(before)
        expect(join('removed')).toBe(after)
      }),
    )
  })

  test('what stayed is not told as changed', () => {
    expect(diffLines('1\n2\n3', '1\ntwo\n3').map(({ kind }) => kind)).toEqual([
      'same',
      'removed',
      'added',
      'same',
    ])
  })
})
