import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { createSharedTimer } from '../../src/rpc/clock.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

test('every wait is told when its time is over, and not when it was given up', async () => {
  const step = fc.record({ waitMs: fc.integer({ min: 0, max: 80 }), isGivenUp: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const clock = createVirtualClock()
      const timer = createSharedTimer(clock, 50)
      const told: string[] = []
      const expected: string[] = []
      for (const [index, { waitMs, isGivenUp }] of steps.entries()) {
        const at = clock.now() + 50
        const wait = timer.after(() => told.push(`${index} at ${clock.now()}`))
        if (isGivenUp) wait[Symbol.dispose]()
        else expected.push(`${index} at ${at}`)
        await clock.advance(waitMs)
      }
      await clock.advance(100)

      expect(told).toEqual(expected)
      expect(clock.pending).toBe(0)
    }),
    { numRuns: tries(30) },
  )
})
