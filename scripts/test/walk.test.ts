import { expect, test } from 'vitest'

import { walkAll } from '../walk.mjs'

test('every kind of call is traced, from the transport to the server and back', async () => {
  const walks = await walkAll()

  const [stdio, ...others] = walks
  expect(stdio?.layers[0]).toBe('transport')
  expect(stdio?.layers).toContain('server')
  expect(stdio?.layers.at(-1)).toBe('transport')
  expect(others.map(({ title }) => title)).toEqual([
    'HTTP, session',
    'HTTP, 2026-07-28',
    'client over HTTP',
  ])
  for (const { files, layers } of walks) {
    expect(files.length).toBeGreaterThan(20)
    expect(layers.length).toBeGreaterThan(2)
  }
})
