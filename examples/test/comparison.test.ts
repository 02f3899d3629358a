import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

const docs = new URL('../../docs/internals/', import.meta.url)

interface Row {
  readonly feature: string
  readonly shownBy: string
  readonly official: string
}

const rows = readFileSync(new URL('comparison.md', docs), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| feature |'))
  .map((line): Row => {
    const [, feature = '', shownBy = '', official = ''] = line.split('|').map((cell) => cell.trim())
    return { feature, shownBy, official }
  })

/** The files that links of a cell lead to. */
function linked(cell: string): readonly string[] {
  return [...cell.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) =>
    fileURLToPath(new URL(link, docs)),
  )
}

describe('the comparison', () => {
  test('has rows', () => {
    expect(rows.length).toBeGreaterThan(30)
  })

  test.each(rows)('names tests that are there: $feature', ({ shownBy }) => {
    expect(linked(shownBy)).not.toEqual([])
    for (const file of linked(shownBy)) expect(existsSync(file), file).toBe(true)
  })

  test.each(rows)('says what the official packages have: $feature', async ({ official }) => {
    const [, place, name] =
      /^`(?:@modelcontextprotocol\/)?([\w./-]+)`: `(\w+)`$/.exec(official) ?? []
    if (place === undefined) {
      expect(official).toMatch(/^(?:–|the (?:program|official registry) .+)$/)
      return
    }
    const exported = (await import(`@modelcontextprotocol/${place}`)) as object
    expect(Object.keys(exported)).toContain(name)
  })
})
