import { createMemoryAuthServerStore } from '@parley/auth/server'
import { expect, test } from 'vitest'

import { ask, issuer, startAuthServer } from '../server/harness.ts'

test('one address cannot fill the store with sign-ins that are begun and left, and stops nobody else [ASEC-01]', async () => {
  let now = Date.now()
  let kept = 0
  const memory = createMemoryAuthServerStore()
  const { server, events } = await startAuthServer({
    now: () => now,
    store: {
      ...memory,
      set(kind, id, value, ttlMs) {
        if (kind === 'Interaction') kept += 1
        return memory.set(kind, id, value, ttlMs)
      },
    },
  })
  const begin = (address: string, url = ask(issuer).url) =>
    server.fetch(new Request(url), { address })

  // What is wrong counts as well, and is quicker to say no to.
  for (let count = 0; count < 590; count += 1) await begin('203.0.113.9', `${issuer}/authorize`)
  const statuses: number[] = []
  for (let count = 0; count < 30; count += 1) statuses.push((await begin('203.0.113.9')).status)
  const keptThen = kept
  const last = await begin('203.0.113.9')
  const rejected = events.at(-1)
  const neighbour = await begin('203.0.113.10')
  now += 600_000
  const later = await begin('203.0.113.9')

  expect(statuses.filter((status) => status === 303)).toHaveLength(10)
  expect(keptThen).toBe(10)
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, '600'])
  expect(await last.text()).toContain('too many attempts')
  expect(rejected).toMatchObject({ type: 'authorization_refused', address: '203.0.113.9' })
  expect([neighbour.status, later.status]).toEqual([303, 303])
})
