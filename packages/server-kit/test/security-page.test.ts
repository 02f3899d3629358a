import { existsSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

const page = new URL('../../../docs/server-security.md', import.meta.url)
const text = readFileSync(page, 'utf8')
const links = [...text.matchAll(/\[([^\]]+)\]\((\S+\.test\.ts)\)/g)].map(
  ([, title = '', path = '']) => [title, path] as const,
)

test('the page of faults names a test for each of them', () => {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| known as'))

  expect(rows.length).toBeGreaterThan(40)
  expect(rows.filter((row) => !row.includes('.test.ts)'))).toEqual([])
})

test.each(links)('%s is a test in %s', (title, path) => {
  const file = new URL(path, page)

  expect(existsSync(file)).toBe(true)
  expect(readFileSync(file, 'utf8')).toContain(title)
})
