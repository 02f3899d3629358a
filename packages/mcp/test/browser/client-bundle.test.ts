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

test('a page loads a transport, the validator of JSON Schema, and parts of the client when it uses them', async () => {
  const chunks = await bundleClient()

  const loadedLater = chunks.filter(({ isDynamicEntry }) => isDynamicEntry)
  expect(loadedLater.map(({ name }) => name).toSorted()).toEqual([
    'child-process-unsupported',
    'client-input',
    'compile',
    'connect-local',
    'http-transport',
    'listeners',
    'load-ws-unsupported',
    'open',
    'receive-batch',
    'redirect',
    'sse-channel',
  ])
})
