import { expect, test } from 'vitest'

import { walkAll } from '../walk.mjs'

/** Files in which something runs for one warm `tools/call`, and moves between layers. */
const most: Record<string, { readonly files: number; readonly moves: number }> = {
  stdio: { files: 40, moves: 10 },
  'HTTP, session': { files: 40, moves: 14 },
  'HTTP, 2026-07-28': { files: 40, moves: 14 },
  'client over HTTP': { files: 40, moves: 6 },
}

test('one call goes through few files, and seldom from one layer to another', async () => {
  const walks = await walkAll()

  expect(walks.map(({ title }) => title)).toEqual(Object.keys(most))
  for (const { title, files, layers } of walks) {
    expect(files.length, `${title}: ${files.join(', ')}`).toBeLessThanOrEqual(
      most[title]?.files ?? 0,
    )
    expect(layers.length - 1, `${title}: ${layers.join(' → ')}`).toBeLessThanOrEqual(
      most[title]?.moves ?? 0,
    )
  }
}, 120_000)
