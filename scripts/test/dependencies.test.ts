import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { root } from '../source-files.mjs'
import { readWorkspaces } from '../workspaces.mjs'

const page = readFileSync(join(root, 'docs/internals/dependencies.md'), 'utf8')
const packages = ['.', ...readWorkspaces(root).map(({ folder }) => folder)]

test.each(packages)('every dependency of %s has a line that says why', (folder) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const names = Object.keys({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.peerDependencies,
  })

  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('the SDK has one dependency at run time, which has none', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages/mcp/package.json'), 'utf8'))

  const isOptional = (name: string) => manifest.peerDependenciesMeta?.[name]?.optional === true
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter((name) => !isOptional(name))
  expect([...Object.keys(manifest.dependencies ?? {}), ...peers]).toEqual(['eventsource-parser'])
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const parser = lock.packages['node_modules/eventsource-parser']
  expect(parser).toBeDefined()
  expect(Object.keys({ ...parser.dependencies, ...parser.peerDependencies })).toEqual([])
})
