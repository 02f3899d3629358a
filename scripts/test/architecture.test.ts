import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from '../source-files.mjs'

const page = readFileSync(join(root, 'docs/internals/architecture.md'), 'utf8')
const source = (file: string): string =>
  file.startsWith('packages/') ? join(root, file) : join(root, 'packages/mcp/src', file)

test('each concept in the table is exported by the file that the table names', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \| `([\w/-]+\.ts)` \|$/gm)]

  const wrong = rows.filter(([, name, file = '']) => {
    const declaration = new RegExp(
      `^export (?:abstract |async )?(?:class|interface|type|function|const) ${name}\\b`,
      'm',
    )
    return !existsSync(source(file)) || !declaration.test(readFileSync(source(file), 'utf8'))
  })

  expect(rows.length).toBeGreaterThan(30)
  expect(wrong.map(([row]) => row)).toEqual([])
})

test('each file on the path of a call, and in a recipe, is there', () => {
  const steps = [
    ...page.matchAll(/^[ │├─└]*((?:schema|rpc|wire|server|client|transport)\/[\w/-]+)(?=\s)/gm),
  ]
  const recipes = [
    ...page.matchAll(/`((?:schema|rpc|wire|server|client|transport)\/[\w/-]+\.ts)`/g),
  ]
  const files = [...steps, ...recipes].map(([, file = '']) => file)

  expect(steps.length).toBeGreaterThan(20)
  expect(
    files.filter((file) => !existsSync(source(file)) && !existsSync(source(`${file}.ts`))),
  ).toEqual([])
})
