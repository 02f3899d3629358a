import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { capacityOf, describeCapacity, exampleLoad, readLoad } from '../capacity.mjs'

test('the example on the page is what the script prints', () => {
  const page = readFileSync(new URL('../../docs/capacity.md', import.meta.url), 'utf8')
  const [, shown] = /```text\n(.*?)\n```/s.exec(page) ?? []

  expect(shown).toBe(describeCapacity(exampleLoad))
})

test('affinity saves memory of processes, and nothing else', () => {
  const [bound, free] = [true, false].map((affinity) => capacityOf({ ...exampleLoad, affinity }))

  expect(free?.processBytes).toBeGreaterThan(2 * (bound?.processBytes ?? Infinity))
  expect({ ...free, processBytes: 0 }).toEqual({ ...bound, processBytes: 0 })
})

test('what is given takes the place of the example, and what makes no sense is refused', () => {
  const load = readLoad(['--sessions', '100', '--streamed-share', '0', '--no-affinity'])

  expect(load).toEqual({ ...exampleLoad, sessions: 100, streamedShare: 0, affinity: false })
  expect(capacityOf({ ...load, callsPerSecond: 1 }).processes).toBe(1)
  expect(() => readLoad(['--ended-share', '2'])).toThrow(
    '--ended-share 2 is out of range: use 0 to 1',
  )
  expect(() => readLoad(['--sessions', 'many'])).toThrow('--sessions many is out of range')
})
