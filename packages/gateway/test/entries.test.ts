import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

/** All files, and packages by their names, that importing a file brings along. */
function reachedFrom(entry: URL, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(entry.href)) return seen
  seen.add(entry.href)
  const text = readFileSync(fileURLToPath(entry), 'utf8')
  const values = text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gm)
  for (const [, path = ''] of values) {
    if (path.startsWith('.')) reachedFrom(new URL(path, entry), seen)
    else seen.add(path)
  }
  return seen
}

function foldersOf(reached: ReadonlySet<string>): ReadonlySet<string | undefined> {
  const files = [...reached].filter((each) => each.startsWith('file:'))
  return new Set(files.map((each) => /\/src\/([^/]+)\//.exec(each)?.[1]))
}

test('the entry for bridges brings nothing along that only a gateway needs', () => {
  const reached = reachedFrom(new URL('../src/bridge/index.ts', import.meta.url))

  expect(foldersOf(reached)).toEqual(new Set(['bridge', undefined]))
})

test('what a configuration may do without is not loaded before it is used', () => {
  const reached = reachedFrom(new URL('../src/index.ts', import.meta.url))

  const late = [
    '@marcbachmann/cel-js',
    '@parley/auth/node',
    '@parley/auth/resource',
    '@parley/cluster',
    '@parley/foundation/config',
    '@parley/foundation/listener',
    '@parley/tools/openapi',
  ]
  expect(late.filter((each) => reached.has(each))).toEqual([])
  expect(foldersOf(reached)).not.toContain('page-service')
})

test('reading a configuration loads no code for sections that it does not have', () => {
  const reached = reachedFrom(new URL('../src/config/load-gateway-config.ts', import.meta.url))

  const late = ['@marcbachmann/cel-js', '@parley/auth/resource', '@parley/tools/openapi']
  expect(late.filter((each) => reached.has(each))).toEqual([])
})
