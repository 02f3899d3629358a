import fc from 'fast-check'
import { expect, test } from 'vitest'

import { parseJson } from '../../src/forms/index.ts'

test('an empty text is an absent value, which null is not', () => {
  expect(parseJson(' \n')).toEqual({ value: undefined })
  expect(parseJson('null')).toEqual({ value: null })
})

test.each([
  ['{\n  "a": x\n}', 'line 2, column 8: expected value'],
  ['[1,]', 'line 1, column 4: expected value'],
  ['{"a":1,}', 'line 1, column 8: expected name'],
  ['{"a" 1}', 'line 1, column 6: expected :'],
  ['[1 2]', 'line 1, column 4: expected , or ]'],
  ['{}x', 'line 1, column 3: expected nothing more'],
  ['{"a": "b', 'line 1, column 7: expected value'],
  ['01', 'line 1, column 2: expected nothing more'],
  [']', 'line 1, column 1: expected value'],
])('the text %j is told where it stops being JSON', (text, fault) => {
  expect(parseJson(text).fault).toBe(fault)
})

test('every text is JSON or has a place where it is not', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), fc.nat(), (text, cut) => {
      for (const one of [text, text.slice(0, cut % (text.length + 1)), `${text},`]) {
        const { value, fault } = parseJson(one)

        if (fault === undefined)
          expect(one.trim() === '' ? undefined : JSON.parse(one)).toEqual(value)
        else expect(() => JSON.parse(one)).toThrow()
      }
    }),
  )
})
