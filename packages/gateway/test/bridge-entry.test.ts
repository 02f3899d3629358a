import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

/** All files that importing one brings along, by their own imports. */
function reachedFrom(entry: URL, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(entry.href)) return seen
  seen.add(entry.href)
  const text = readFileSync(fileURLToPath(entry), 'utf8')
  const values = text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm)
  for (const [, path = ''] of values) reachedFrom(new URL(path, entry), seen)
  return seen
}

test('the entry for bridges brings nothing along that only a gateway needs', () => {
  const files = reachedFrom(new URL('../src/bridge/index.ts', import.meta.url))

  const folders = new Set([...files].map((each) => /\/src\/([^/]+)\//.exec(each)?.[1]))
  expect(folders).toEqual(new Set(['bridge', 'compat', undefined]))
})
