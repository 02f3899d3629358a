import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { measureJson } from '../../src/rpc/json/json-limits.ts'

const limits = { depth: 4, members: 3 }

function measured(value: unknown) {
  return measureJson(value, limits)
}

describe('the measure of a message', () => {
  test.each([
    ['as deep as allowed', { a: [{ b: [] }] }],
    ['as wide as allowed', { aaaa: 1, bbbb: 2, cccc: [1, 2, 3] }],
    ['a scalar', 'x'.repeat(100)],
  ])('lets through what is %s', (_, value) => {
    expect(measured(value)).toBeUndefined()
  })

  test.each([
    ['depth', 4, { a: [{ b: [{}] }] }, 'nested deeper than limits.depth (4) allows'],
    [
      'members',
      3,
      { a: [1, 2, 3, 4] },
      'an object or array has more members than limits.members (3) allows',
    ],
    [
      'members',
      3,
      { aa: 1, bb: 2, cc: 3, dd: 4 },
      'an object or array has more members than limits.members (3) allows',
    ],
  ])('names the limit %s (%i), what was seen and the option', (limit, allowed, value, message) => {
    expect(measured(value)).toMatchObject({
      code: 'limit_exceeded',
      message,
      data: { limit, allowed },
    })
  })

  test('agrees with a plain count, whatever the value', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
        : 0
    const widthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Math.max(Object.keys(value).length, ...Object.values(value).map(widthOf))
        : 0

    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (given) => {
        const value: unknown = JSON.parse(JSON.stringify(given))
        const isOver = depthOf(value) > limits.depth || widthOf(value) > limits.members

        expect(measured(value) !== undefined).toBe(isOver)
      }),
    )
  })

  test('needs no stack for what is nested without end', () => {
    const text = '['.repeat(200_000) + ']'.repeat(200_000)

    expect(measureJson(JSON.parse(text), { depth: 128, members: 10 })).toMatchObject({
      data: { limit: 'depth', allowed: 128 },
    })
  })
})
