import { createHostLimit } from '@parley/server-kit/fetch'
import { expect, test } from 'vitest'

test('requests are counted for each host, and forgotten with time', () => {
  let now = 0
  const waitFor = createHostLimit({ burst: 2, perMinute: 60, now: () => now })

  expect([waitFor('a'), waitFor('a'), waitFor('a'), waitFor('b')]).toEqual([0, 0, 1_000, 0])
  now += 1_000
  expect([waitFor('a'), waitFor('a')]).toEqual([0, 1_000])
})

test('no more hosts are remembered than there is room for', () => {
  const waitFor = createHostLimit({ burst: 1, perMinute: 1, now: () => 0 })
  expect([waitFor('first'), waitFor('first') > 0]).toEqual([0, true])

  for (let host = 0; host < 1_000; host += 1) waitFor(`host-${host}`)

  expect(waitFor('first')).toBe(0)
})
