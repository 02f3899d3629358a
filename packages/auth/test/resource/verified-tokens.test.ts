import { testAuth } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { createVerifiedTokens } from '../../src/resource/token-check.ts'
import { openProtected } from './protected-server.ts'
import { createKey, resource } from './signing-issuer.ts'

test('a token is verified once, however many requests bring it', async () => {
  const verify = vi.fn(async () => testAuth({ audience: [resource] }))
  await using server = await openProtected({ protect: { verify } })

  await Promise.all(Array.from({ length: 5 }, () => server.call('who', { token: 'a' })))
  await server.call('who', { token: 'a' })
  await server.call('who', { token: 'b' })

  expect(verify).toHaveBeenCalledTimes(2)
})

test('every time, if nothing is to be remembered', async () => {
  const verify = vi.fn(async () => testAuth({ audience: [resource] }))
  await using server = await openProtected({ protect: { verify, cache: false } })

  await server.call('who', { token: 'a' })
  await server.call('who', { token: 'a' })

  expect(verify).toHaveBeenCalledTimes(2)
})

test('what is not good is not remembered', async () => {
  let isKnown = false
  await using server = await openProtected({
    protect: { verify: async () => (isKnown ? testAuth({ audience: [resource] }) : undefined) },
  })

  const before = await server.call('who', { token: 'a' })
  isKnown = true
  const after = await server.call('who', { token: 'a' })

  expect([before.status, after.status]).toEqual([401, 200])
})

test('keys that change end what was verified by the old ones', async () => {
  await using server = await openProtected()
  const { issuer } = server
  const first = await issuer.sign()
  await server.call('who', { token: first })
  vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ['Date'] })
  try {
    issuer.keys.splice(0, 1, await createKey())
    const second = await issuer.sign()

    const renewed = await server.call('who', { token: second })
    const old = await server.call('who', { token: first })

    expect([renewed.status, old.status]).toEqual([200, 401])
  } finally {
    vi.useRealTimers()
  }
})

test('a token is forgotten when it expires, or its time is up, or others came', () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] })
  try {
    const tokens = createVerifiedTokens(2, 60_000)
    const auth = testAuth({ expiresAt: 1_100_000 })
    tokens.set('short', 'r', testAuth({ expiresAt: 1_010_000 }))
    tokens.set('long', 'r', auth)

    expect(tokens.get('long', 'other')).toBeUndefined()
    expect(tokens.get('short', 'r')).toBeDefined()
    vi.setSystemTime(1_010_000)
    expect(tokens.get('short', 'r')).toBeUndefined()
    tokens.set('a', 'r', auth)
    expect(tokens.get('long', 'r')).toBe(auth) // used last
    tokens.set('b', 'r', auth)
    expect(tokens.get('a', 'r')).toBeUndefined()
    expect(tokens.get('long', 'r')).toBe(auth)
    vi.setSystemTime(1_060_000)
    expect(tokens.get('long', 'r')).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})
