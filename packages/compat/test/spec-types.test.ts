import { readFileSync } from 'node:fs'

import * as official from '@modelcontextprotocol/sdk/spec.types.js'
import * as own from '@parley/compat/spec.types.js'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

/** The names that a source exports, types too. */
function exportedNames(file: string): readonly string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'))
  return module.staticExports
    .flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name ?? ''))
    .toSorted()
}

test('has the names and values of the official module', () => {
  const file = new URL('../src/spec.types.ts', import.meta.url).pathname
  const declarations = new URL(
    '../../../node_modules/@modelcontextprotocol/sdk/dist/esm/spec.types.d.ts',
    import.meta.url,
  ).pathname

  expect({ ...own }).toEqual({ ...official })
  expect(exportedNames(file)).toEqual(exportedNames(declarations))
})

test('a program that is written for the official types compiles with ours', () => {
  const call: official.CallToolRequest = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'a' },
  }
  const tool: official.Tool = { name: 'a', inputSchema: { type: 'object' } }
  const ownCall: own.CallToolRequest = call
  const ownTool: own.Tool = tool
  const officialCall: official.CallToolRequest = ownCall
  const officialTool: official.Tool = ownTool

  expect([officialCall, officialTool]).toEqual([call, tool])
})
