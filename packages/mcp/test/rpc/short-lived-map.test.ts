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
