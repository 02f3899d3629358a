import { expect, test } from 'vitest'

import { unmask } from '../../src/service/trace/unmask.ts'

test('each mask becomes what stood in its place, in order', () => {
  const original = { a: ['one KEY-1 two KEY-2 three'], pin: 1234 }
  const shown = { a: ['one •••••• two •••••• three'], pin: '••••••' }
  const edited = { a: ['ONE •••••• 2 ••••••'], pin: '••••••', b: true }

  expect(unmask(edited, original, shown)).toEqual({ a: ['ONE KEY-1 2 KEY-2'], pin: 1234, b: true })
})

test.each([
  ['one mask of two is gone', '••••••', 'KEY-1 KEY-2', '•••••• ••••••'],
  ['a mask stands where none was shown', '••••••', 'plain', 'plain'],
  ['a mask stands in a new member', '••••••', undefined, undefined],
  ['two masks have no border', 'x••••••••••••', 'KEY-1KEY-2', '••••••••••••'],
  ['a number was masked', '1••••••', 1234, '••••••'],
])('refuses a text where %s', (_, edited, original, shown) => {
  expect(() => unmask(edited, original, shown)).toThrow('masked part')
})
