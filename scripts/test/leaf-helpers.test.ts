import { expect, test } from 'vitest'

import { findCopies, leafHelpers } from '../leaf-helpers.mjs'

const names = (path: string, text: string) => findCopies(path, text).map(({ name }) => name)

test('a helper is found again by its name and by its text', () => {
  const guard = `function isThing(value: unknown) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}`
  const oldest = `const [oldest] = known.keys()
if (known.size > 10 && oldest !== undefined) known.delete(oldest)`

  expect(names('packages/host/src/a.ts', guard)).toEqual(['isJsonObject'])
  expect(names('packages/host/src/a.ts', oldest)).toEqual(['BoundedMap'])
  expect(names('packages/host/src/a.ts', 'export async function sleep(ms: number) {}')).toEqual([
    'sleep',
  ])
  expect(
    names('packages/host/src/a.ts', 'throw error instanceof Error ? error.message : String(error)'),
  ).toEqual(['errorMessage'])
})

test('its home may define it, and anybody may import it', () => {
  const { home } = leafHelpers['sleep']!

  expect(names(home, 'export async function sleep(ms: number) {}')).toEqual([])
  expect(names('packages/host/src/a.ts', "import { sleep } from '@parley/mcp/signals'")).toEqual([])
})
