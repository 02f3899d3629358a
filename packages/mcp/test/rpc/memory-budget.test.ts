import { describe, expect, test } from 'vitest'

import { jsonWeight } from '../../src/rpc/json/json-limits.ts'
import { createMemoryBudget, MemoryShare } from '../../src/rpc/memory-budget.ts'

const limits = { callerBytes: 100, totalBytes: 250 }

describe('the account of bytes', () => {
  test('refuses what is too much for one caller, with limit, sum and option', () => {
    const quotaKey = createMemoryBudget(limits)
    expect(quotaKey.reserve('ada', 90)).toBeUndefined()

    const rejection = quotaKey.reserve('ada', 20)

    expect(rejection?.message).toBe(
      "this caller's requests need 110 bytes; limits.callerBytes allows 100",
    )
    expect(rejection?.data).toMatchObject({ limit: 'callerBytes', allowed: 100, seen: 110 })
    expect(quotaKey.total).toBe(90)
  })

  test('refuses what is too much for all, and takes it when others have given back', () => {
    const quotaKey = createMemoryBudget(limits)
    for (const caller of ['a', 'b', 'c']) quotaKey.reserve(caller, 80)

    expect(quotaKey.reserve('d', 20)?.data?.limit).toBe('totalBytes')
    quotaKey.release('a', 80)
    expect(quotaKey.reserve('d', 20)).toBeUndefined()
  })

  test('has all there is for those who cannot be told apart', () => {
    const quotaKey = createMemoryBudget(limits)

    expect(quotaKey.reserve('', 250)).toBeUndefined()
    expect(quotaKey.reserve('', 1)?.data?.limit).toBe('totalBytes')
  })

  test('leaves room for who is verified', () => {
    const isAnonymous = (caller: string) => !caller.startsWith('[')
    const quotaKey = createMemoryBudget({ ...limits, anonymousBytes: 120, isAnonymous })
    quotaKey.reserve('192.0.2.1', 100)

    expect(quotaKey.reserve('192.0.2.2', 30)?.message).toContain('all anonymous callers together')
    expect(quotaKey.reserve('["issuer","ada"]', 100)).toBeUndefined()
  })

  test('gets everything back when the last who keeps it is done', () => {
    const quotaKey = createMemoryBudget(limits)
    const held = new MemoryShare(quotaKey, 'ada')
    held.reserve(50)
    held.resize(30)
    held.keep()

    held.close()
    expect(quotaKey.total).toBe(30)
    held.close()
    expect(quotaKey.total).toBe(0)
    expect([held.reserve(10), quotaKey.total]).toEqual([undefined, 0]) // it is over
  })
})

describe('the weight of JSON', () => {
  test('counts what becomes an object, and nothing inside strings', () => {
    const filler = 'x'.repeat(2_000)
    const plain = jsonWeight(`["${filler}"]`)

    expect(jsonWeight(`["${filler}",{},{}]`)).toBeGreaterThan(plain + 2 * 64)
    expect(jsonWeight(`["${filler}\\"{{{{[[[["]`)).toBeLessThan(plain + 40)
    expect(jsonWeight(`["${filler}\\\\",{}]`)).toBeGreaterThan(plain + 64)
    expect(jsonWeight(`"${filler}`)).toBeGreaterThan(2 * filler.length) // whatever it is
  })
})
