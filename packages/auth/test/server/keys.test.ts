import { createMemoryAuthServerStore } from '@parley/auth/server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { rotateKeys } from '../../src/server/tokens/keys.ts'
import { obtainToken, startAuthServer } from './harness.ts'

const day = 86_400_000
const lifeMs = 30 * day
const start = 1_800_000_000_000

describe('keys', () => {
  test('are the same until it is time', async () => {
    const store = createMemoryAuthServerStore({ now: () => start })

    const first = await rotateKeys(store, { now: start, lifeMs })
    const second = await rotateKeys(store, { now: start + 28 * day, lifeMs })

    expect(second.signing).toEqual(first.signing)
    expect(second.secret).toBe(first.secret)
    expect(first.until).toBeLessThanOrEqual(start + 29 * day)
  })

  test('are published a day before they sign, and a day after', async () => {
    const store = createMemoryAuthServerStore({ now: () => start })
    const at = async (days: number) => {
      const { signing } = await rotateKeys(store, { now: start + days * day, lifeMs })
      return signing.map(({ kid }) => kid)
    }

    const [old] = await at(0)
    const before = await at(29.5)
    const after = await at(30.5)
    const later = await at(31.5)

    expect(before).toEqual([old, expect.any(String)])
    expect(after).toEqual([before[1], old])
    expect(later).toEqual([before[1]])
  })

  test('what signs was always published a while before, however seldom somebody looks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 2, maxLength: 6 }),
        async (steps) => {
          let now = start
          const store = createMemoryAuthServerStore({ now: () => now })
          let published = (await rotateKeys(store, { now, lifeMs })).signing.map(({ kid }) => kid)
          for (const step of steps) {
            now += step * day
            const { signing } = await rotateKeys(store, { now, lifeMs })
            expect(published).toContain(signing[0]?.kid)
            published = signing.map(({ kid }) => kid)
          }
        },
      ),
      { numRuns: tries(20) },
    )
  })

  test('change under a running server, whose tokens stay good', async () => {
    let time = Date.now()
    const harness = await startAuthServer({ now: () => time, keyLifeMs: 1000 })
    const kids = async () => {
      const response = await harness.server.fetch(new Request(harness.server.jwksUri))
      const { keys } = (await response.json()) as { keys: { kid: string }[] } // as published
      return keys.map(({ kid }) => kid)
    }

    const before = await kids()
    time += 600
    const between = await kids()
    time += 600
    const after = await kids()
    const { status } = await obtainToken(harness)

    expect(between).toEqual([before[0], expect.any(String)])
    expect(after).toEqual([between[1], before[0]])
    expect(status).toBe(200)
    expect(harness.events.map(({ type }) => type)).toContain('keys_rotated')
  })
})
