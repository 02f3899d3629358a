import { expect, test } from 'vitest'

import { axisWidth } from '../../../page/bench/axis-width.ts'

test('an axis is as wide as its longest mark', () => {
  expect(axisWidth(['0 µs', '10.0 ms', '100.0 ms'])).toBeGreaterThan(axisWidth(['20.0 ms']))
  expect(axisWidth(['20.0 ms'])).toBeGreaterThan(60)
  expect(axisWidth([])).toBe(44)
})
