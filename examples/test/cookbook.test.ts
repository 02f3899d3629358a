import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../docs', import.meta.url))

interface Part {
  readonly recipes: readonly string[]
  /** The table below "Tests of this page". */
  readonly table: string
}

/** The parts of a page, each of which ends with a table that names the tests of its recipes. */
function partsOf(text: string): readonly Part[] {
  const sections = [...text.matchAll(/^(#{2,3}) (.+)\n([\s\S]*?)(?=^#{1,3} |(?![\s\S]))/gm)]
  const parts: Part[] = []
  let recipes: { readonly level: string; readonly title: string }[] = []
  for (const [, level = '', title = '', body = ''] of sections) {
    if (title !== 'Tests of this page') recipes.push({ level, title })
    else {
      const own = recipes.filter((recipe) => recipe.level === level)
      parts.push({ recipes: own.map((recipe) => recipe.title), table: body })
      recipes = []
    }
  }
  return parts
}

describe.each(['deploy.md', 'frameworks.md', 'recipes.md'])(
  '%s says which test runs each of its recipes',
  (page) => {
    const parts = partsOf(
      readFileSync(join(folder, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, ''),
    )

    test('each recipe has its row', () => {
      expect(parts.length).toBeGreaterThan(0)
      for (const { recipes, table } of parts) {
        const rows = [...table.matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(1)
        expect(recipes.length).toBeGreaterThan(0)
        expect(rows.map(([, recipe]) => recipe)).toEqual(recipes)
      }
    })

    test('tests that are named exist', () => {
      const named = parts.flatMap(({ table }) =>
        [...table.matchAll(/\]\(([^)]+\.ts)\)/g)].map(([, path = '']) => path),
      )

      expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([])
    })
  },
)
