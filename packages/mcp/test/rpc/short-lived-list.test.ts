import fc from 'fast-check'
import { expect, test } from 'vitest'

import { ShortLivedList } from '../../src/rpc/short-lived.ts'

test('holds what came and has not gone, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9)), (steps) => {
      const items = Array.from({ length: 10 }, (_, id) => ({ id }))
      const list = new ShortLivedList<(typeof items)[number]>()
      const expected = new Set<(typeof items)[number]>()

      for (const step of steps) {
        const item = items[step]!
        expect(list.delete(item)).toBe(expected.has(item))
        if (!expected.delete(item)) {
          expected.add(item)
          list.add(item)
        }
      }

      expect(list.size).toBe(expected.size)
      expect(new Set(list)).toEqual(expected)
    }),
  )
})

test('can be walked through while its items leave', () => {
  const list = new ShortLivedList<object>()
  for (let count = 0; count < 5; count++) list.add({})
  let seen = 0

  for (const item of list) {
    seen++
    list.delete(item)
  }

  expect(seen).toBe(5)
  expect(list.size).toBe(0)
})

test('is in the order in which its items came, whichever leaves first', () => {
  const list = new ShortLivedList<string>()
  for (const name of ['first', 'second', 'third']) list.add(name)

  list.delete('first')
  list.add('first')
  list.delete('second')
  list.delete('second')

  expect([...list]).toEqual(['third', 'first'])
  expect(list.size).toBe(2)
})
