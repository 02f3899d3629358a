import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { measureProgram, programs } from '../bundle-size.mjs'
import { findEntries, stampName } from '../bundle.mjs'
import { measureInstall } from '../install-size.mjs'
import { loadedFiles } from '../loaded-files.mjs'
import { root } from '../source-files.mjs'

const dist = join(root, 'packages/mcp/dist')

test.each(programs)('a $title is not larger than it was', async (program) => {
  const { loaded } = await measureProgram(program)

  expect(loaded).toBeLessThanOrEqual(program.limit)
})

test('an installation brings at most three packages and less than 1.4 MB', async () => {
  const { packages, bytes } = await measureInstall('packages/mcp')

  expect(packages).toBeLessThanOrEqual(3)
  expect(bytes).toBeLessThan(1_400_000)
})

describe('an import loads the layers it uses and no other', () => {
  test.each([
    ['index', ['core', 'json-schema', 'shared']],
    ['entry/server', ['core', 'json-schema', 'server', 'shared']],
    ['entry/client', ['client', 'core']],
    ['entry/http', ['core', 'http', 'json-schema', 'server', 'shared']],
    ['entry/stdio', ['core', 'json-schema', 'server', 'shared']],
    ['entry/node', ['core', 'http', 'json-schema', 'server', 'shared']],
    ['entry/testing', ['client', 'core', 'shared']],
  ])('%s', (entry, expected) => {
    const layers = ['client', 'core', 'http', 'http-client', 'json-schema', 'server', 'shared']
    const files = new Set(loadedFiles(dist, `${entry}.js`))

    expect(layers.filter((layer) => files.has(`chunks/${layer}.js`))).toEqual(expected)
  })
})

test.each([
  'index',
  'entry/server',
  'entry/client',
  'entry/http',
  'entry/apps',
  'entry/apps-page',
  'entry/skills',
  'entry/tasks',
  'entry/testing',
  'transport/stdio/child-process-unsupported',
  'transport/websocket/load-ws-unsupported',
  'transport/http-client/request/global-fetch-request',
  'transport/http-client/http-transport',
  'transport/websocket/open',
])('%s runs outside of Node: nothing that it loads imports from there', (entry) => {
  const fromNode = loadedFiles(dist, `${entry}.js`).filter((file) =>
    /^(import|export) .*["']node:/m.test(readFileSync(join(dist, file), 'utf8')),
  )

  expect(fromNode).toEqual([])
})

test.each(['packages/mcp', 'packages/auth'])(
  'what entries of %s share is one copy, so that classes and state are too',
  (folder) => {
    const [, ...files] = readFileSync(join(root, folder, 'dist', stampName), 'utf8').split('\n')
    const sources = files.flatMap((line) => line.split('\t').slice(1))

    expect(sources.length).toBeGreaterThan(findEntries(join(root, folder)).length)
    expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([])
  },
)
