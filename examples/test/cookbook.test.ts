import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../docs/cookbook', import.meta.url))
const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'index.md')

describe.each(pages)('%s says which test runs each of its recipes', (page) => {
  const text = readFileSync(join(folder, page), 'utf8')
  const [recipes = '', tests = ''] = text.split('\n## Tests of this page\n')
  const headings = [...recipes.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  const rows = [...tests.matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(1)

  test('each recipe has its row', () => {
    expect(headings.length).toBeGreaterThan(0)
    expect(rows.map(([, recipe]) => recipe)).toEqual(headings)
  })

  test('tests that are named exist', () => {
    const named = [...tests.matchAll(/\]\(([^)]+\.ts)\)/g)].map(([, path = '']) => path)

    expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([])
  })
})

test('the first page has every other', () => {
  const index = readFileSync(join(folder, 'index.md'), 'utf8')

  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([])
})
