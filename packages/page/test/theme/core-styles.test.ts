import { existsSync, readdirSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

const packages = new URL('../../../', import.meta.url)
const layers = new URL('../node_modules/@mantine/core/styles/', packages)

test('each Mantine component that a page imports brings its styles', () => {
  const listed = readFileSync(new URL('page/src/theme/core.css', packages), 'utf8')
  const folders = ['page/src', ...readdirSync(packages).map((name) => `${name}/page`)]
  const sources = folders
    .map((folder) => new URL(`${folder}/`, packages))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.tsx?$/.test(path))
        .map((path) => new URL(path, folder)),
    )
  const used = new Set(
    sources.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(
        ([, names = '']) => names.match(/\b[A-Z]\w+/g) ?? [],
      ),
    ),
  )

  const missing = [...used].filter(
    (name) =>
      existsSync(new URL(`${name}.layer.css`, layers)) && !listed.includes(`/${name}.layer.css`),
  )

  expect(used.size).toBeGreaterThan(20)
  expect(missing).toEqual([])
})
