import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { ShortLivedMap } from '../../src/rpc/short-lived.ts'

test('is a map', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('set', 'take'), fc.nat(5), fc.string()))
  fc.assert(
    fc.property(steps, (all) => {
      const map = new ShortLivedMap<number, string>()
      const expected = new Map<number, string>()

      for (const [step, key, value] of all) {
        if (step === 'set') {
          map.set(key, value)
          expected.delete(key)
          expected.set(key, value)
        } else {
          expect(map.take(key)).toBe(expected.get(key))
          expected.delete(key)
        }
        expect(map.has(key)).toBe(expected.has(key))
        expect(map.get(key)).toBe(expected.get(key))
      }

      expect(map.size).toBe(expected.size)
      expect([...map.values()]).toEqual([...expected.values()])
    }),
  )
})

test('keeps nothing of what has passed through it, also when it is old itself', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void
  const map = new ShortLivedMap<number, object>()
  const pass = (from: number, to: number): void => {
    for (let id = from; id < to; id++) {
      map.set(id, { payload: Array.from({ length: 300 }, () => id) })
      map.take(id - 40)
    }
  }
  pass(0, 40)
  for (let times = 0; times < 3; times++) collect({ type: 'minor' }) // now its table is old
  const before = process.memoryUsage().heapUsed

  for (let start = 40; start < 6_000; start += 500) {
    pass(start, start + 500)
    collect({ type: 'minor' })
  }

  const grown = process.memoryUsage().heapUsed - before
  expect(grown).toBeLessThan(2 ** 20) // a `Map` grows by several
})
