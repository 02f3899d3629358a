import { expect, test } from 'vitest'

import { bundleClient } from './client-bundle.ts'

test('the client for a web page imports nothing but its own parts, least of all from Node', async () => {
  const chunks = await bundleClient()

  const own = new Set(chunks.map(({ fileName }) => fileName))
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
  expect(own).toContain('client.js')
  expect(imported.filter((name) => !own.has(name))).toEqual([])
  for (const { code } of chunks) expect(code).not.toMatch(/(from|import|require)\W*["']node:/)
})

test('a page that uses one transport does not load the other, nor anything about processes', async () => {
  const [entry] = (await bundleClient()).filter(({ isEntry }) => isEntry)

  expect(entry?.dynamicImports.map((name) => name.replace(/-[^-]+$/, ''))).toEqual([
    'http-transport',
    'open-websocket',
    'child-process-unsupported',
  ])
})
