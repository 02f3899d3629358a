import { expect, test } from 'vitest'

import { findTests } from '../tests-of.mjs'

test('finds the tests that load a file, the nearest first, and not those that need its types alone', () => {
  const graph = new Map([
    ['src/a.ts', []],
    ['src/b.ts', [{ to: 'src/a.ts', kind: 'static' as const }]],
    ['test/far.test.ts', [{ to: 'src/b.ts', kind: 'dynamic' as const }]],
    ['test/near.test.ts', [{ to: 'src/a.ts', kind: 'static' as const }]],
    ['test/types.test.ts', [{ to: 'src/a.ts', kind: 'type' as const }]],
  ])

  expect([...findTests(graph, ['src/a.ts'])]).toEqual([
    ['test/near.test.ts', 1],
    ['test/far.test.ts', 2],
  ])
})
