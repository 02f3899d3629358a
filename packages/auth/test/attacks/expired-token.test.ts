import { expect, test, vi } from 'vitest'

import { challengeOf, openProtected } from '../resource/protected-server.ts'

const now = () => Math.floor(Date.now() / 1000)

test.each([
  ['expired', { exp: now() - 60 }, 'it has expired'],
  ['without an end', { exp: undefined }, 'it has no expiry time'],
  ['with an end that is no number', { exp: 'tomorrow' }, 'it has no expiry time'],
])('a token that is %s is refused [ATOK-08] [R0326A-15] [R0326A-17]', async (_, claims, why) => {
  await using server = await openProtected()

  const answer = await server.call('who', { token: await server.issuer.sign(claims) })

  expect(answer.status).toBe(401)
  expect(challengeOf(answer)).toContain(why)
  expect(server.ran).toEqual([])
})

test('a token that was good is refused once it expires, whatever is remembered [ATOK-08]', async () => {
  await using server = await openProtected()
  const token = await server.issuer.sign({ exp: now() + 20 })
  const before = await server.call('who', { token })
  vi.useFakeTimers({ now: Date.now() + 30_000, toFake: ['Date'] })
  try {
    const after = await server.call('who', { token })

    expect([before.status, after.status]).toEqual([200, 401])
  } finally {
    vi.useRealTimers()
  }
})
