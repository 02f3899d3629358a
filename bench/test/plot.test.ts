import fc from 'fast-check'
import { expect, test } from 'vitest'

import { growthOf } from '../measure/run-curve.mjs'
import { renderPlot } from '../report/plot.mjs'

const pointsOf = (y: (x: number) => number) =>
  [1, 10, 100, 1_000, 10_000].map((x) => ({ x, y: y(x) }))

test('the power of a line is 1 when cost doubles with its cause, and 0 when it does not move', () => {
  expect(growthOf(pointsOf((x) => 3 * x))).toBeCloseTo(1)
  expect(growthOf(pointsOf(() => 5))).toBeCloseTo(0)
  expect(growthOf(pointsOf((x) => x * x))).toBeCloseTo(2)
})

test('every point of every line is inside its plot', () => {
  const value = fc.double({ min: 0.01, max: 1e9, noNaN: true })
  const line = fc.record({
    title: fc.string(),
    points: fc.array(fc.record({ x: value, y: value }), { minLength: 1, maxLength: 8 }),
  })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      const svg = renderPlot({ title: 'a & b', axis: 'x', lines })

      const circles = [...svg.matchAll(/<circle cx="([^"]+)" cy="([^"]+)"/g)]
      expect(circles).toHaveLength(lines.reduce((sum, { points }) => sum + points.length, 0))
      for (const [, x, y] of circles) {
        expect(Number(x)).toBeGreaterThanOrEqual(70)
        expect(Number(x)).toBeLessThanOrEqual(490)
        expect(Number(y)).toBeGreaterThanOrEqual(48)
        expect(Number(y)).toBeLessThanOrEqual(308)
      }
    }),
  )
})
