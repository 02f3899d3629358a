import { expect, test } from 'vitest'

import { choosePairs } from '../../test-support/thorough.ts'

const rows = ['a', 'b', 'c'].flatMap((one) =>
  [1, 2, 3].flatMap((two) =>
    [true, false]
      .filter((three) => one !== 'c' || three)
      .map((three) => [one, two, three] as const),
  ),
)

function meetings(of: readonly (readonly unknown[])[]): ReadonlySet<string> {
  const all = of.flatMap(([one, two, three]) => [
    `${String(one)}-${String(two)}`,
    `${String(two)}-${String(three)}`,
    `${String(one)}--${String(three)}`,
  ])
  return new Set(all)
}

test('a choice has each two values that meet anywhere, in few combinations', () => {
  const chosen = choosePairs(rows, false)

  expect(meetings(chosen)).toEqual(meetings(rows))
  expect(chosen.length).toBeLessThan(rows.length)
  expect(chosen).toEqual(choosePairs(rows, false))
})

test('a thorough run has all of them', () => {
  expect(choosePairs(rows, true)).toEqual(rows)
})
