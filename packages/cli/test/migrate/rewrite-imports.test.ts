import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { rewriteImports, rewriteManifest } from '../../src/migrate/rewrite-imports.ts'
import { repositoryFile, run } from '../run.ts'

test.each([
  "import { Server } from '@modelcontextprotocol/sdk/server/index.js'",
  'import type { Tool } from "@modelcontextprotocol/sdk/types.js";',
  "import'@modelcontextprotocol/sdk/types.js'",
  "import {\n  Server, // the class\n} /* from */ from /* it's */ '@modelcontextprotocol/sdk/server'",
  "export * from '@modelcontextprotocol/sdk/types.js'",
  "const { Server } = require('@modelcontextprotocol/sdk/server/index.js')",
  "const file = require.resolve( '@modelcontextprotocol/sdk/types.js' )",
  "import sdk = require('@modelcontextprotocol/sdk/types.js')",
  "const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')",
  "type Tool = import('@modelcontextprotocol/sdk/types.js').Tool",
  "declare module '@modelcontextprotocol/sdk/types.js' {}",
  "/** @type {import('@modelcontextprotocol/sdk/types.js').Tool} */\nlet tool",
  "const url = `${await import('@modelcontextprotocol/sdk/types.js')}/${{ a: `}` }.a}`",
  "const half = a / 2; const s = 'x'; b = /['\"`]/.test(s); import('@modelcontextprotocol/sdk/types.js')",
])('%s imports Parley', (text) => {
  const after = text.replace('@modelcontextprotocol/sdk', '@parley/compat')

  expect(rewriteImports(text)).toEqual({ text: after, edits: 1, locations: [] })
  expect(rewriteImports(after)).toBeUndefined()
})

test.each([
  ["import a from '@modelcontextprotocol/sdk'", '@modelcontextprotocol/sdk has no equal here'],
  [
    "import a from '@modelcontextprotocol/sdk/dist/esm/types.js'",
    '@modelcontextprotocol/sdk/dist/esm/types.js has no equal here',
  ],
  [
    "import { McpServer } from '@modelcontextprotocol/server'",
    '@modelcontextprotocol/server has another interface',
  ],
  ["import { FastMCP } from 'fastmcp'", 'fastmcp has another interface'],
  ["vi.mock('@modelcontextprotocol/sdk/types.js')", 'a text names @modelcontextprotocol/sdk'],
  ["loader.import('@modelcontextprotocol/sdk/types.js')", 'a text names @modelcontextprotocol/sdk'],
  [
    "write(`import a from '@modelcontextprotocol/sdk/types.js'`)",
    'a text names @modelcontextprotocol/sdk',
  ],
  ['const name = "@modelcontextprotocol/sdk/" + path', 'a text names @modelcontextprotocol/sdk'],
])('%s is left, and named', (text, message) => {
  const source = `const a = 1\n${text}\n`

  expect(rewriteImports(source)).toEqual({
    text: source,
    edits: 0,
    locations: [{ line: 2, message }],
  })
})

test('a comment that mentions an import stays as it is', () => {
  const text = "// import a from '@modelcontextprotocol/sdk/types.js'\n"

  expect(rewriteImports(text)).toEqual({ text, edits: 0, locations: [] })
})

test('what is imported afterwards is there: each path of the official SDK is rewritten if Parley has it', () => {
  const official = repositoryFile('node_modules/@modelcontextprotocol/sdk/dist/esm')
  const manifest = readFileSync(repositoryFile('packages/compat/package.json'), 'utf8')
  const { exports } = JSON.parse(manifest) as { exports: Record<string, unknown> }
  const files = readdirSync(official, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.js') && !file.startsWith('examples/'))

  expect(files.length).toBeGreaterThan(50)
  for (const file of files) {
    const found = rewriteImports(`import a from '@modelcontextprotocol/sdk/${file}'`)
    expect([file, found?.edits]).toEqual([file, 1])
    expect(Object.keys(exports)).toContain(`./${file}`)
  }
})

test('the dependency is exchanged, and stays while a source needs it', () => {
  const manifest = (dependencies: object) =>
    `${JSON.stringify({ name: 'a', dependencies, devDependencies: { x: '1' } }, undefined, 4)}\n`
  const before = manifest({ '@modelcontextprotocol/sdk': '^1.25.0', express: '^5.0.0' })

  expect(rewriteManifest(before, false)).toEqual({
    text: manifest({ '@parley/compat': '^1.32.200', express: '^5.0.0' }),
    edits: 1,
    locations: [],
  })
  expect(rewriteManifest(before, true)?.text).toContain('"@modelcontextprotocol/sdk": "^1.25.0"')
  expect(rewriteManifest(manifest({ express: '1' }), false)).toBeUndefined()
})

test('a dependency that is not version 1 from npm is left, and named', () => {
  for (const range of ['npm:@parley/compat@1', 'file:../sdk', '^0.5.0']) {
    const text = `{\n  "dependencies": { "@modelcontextprotocol/sdk": "${range}" }\n}`

    expect(rewriteManifest(text, false)).toEqual({
      text,
      edits: 0,
      locations: [{ line: 2, message: '@modelcontextprotocol/sdk is not version 1 from npm here' }],
    })
  }
})

const source = "import { Server } from '@modelcontextprotocol/sdk/server/index.js'\n"
const manifest = { name: 'a', dependencies: { '@modelcontextprotocol/sdk': '^1.0.0' } }

test('shows a diff and writes nothing, and ends with 6 where something is left', async () => {
  const text = `${source}export * from 'fastmcp'\n`
  const cwd = folderWith({ 'src/a.js': text, 'package.json': manifest })
  const { code, stdout, stderr } = await run(['migrate'], { cwd })

  expect(code).toBe(6)
  expect(stdout).toContain('--- src/a.js\n+++ src/a.js\n')
  expect(stdout).toContain("+import { Server } from '@parley/compat/server/index.js'\n")
  expect(stdout).toContain('src/a.js:2: fastmcp has another interface\n')
  expect(stdout).toContain('2 files, 2 edits to make, 1 place left\n')
  expect(stderr).toContain('1 place left as it was')
  expect(readFileSync(join(cwd, 'src/a.js'), 'utf8')).toBe(text)
})

test('writes sources and package.json, but not what is in node_modules', async () => {
  const cwd = folderWith({
    'src/a.mts': source,
    'node_modules/b/index.js': source,
    'package.json': manifest,
  })
  const { code, stdout } = await run(['migrate', '--write', '--json'], { cwd })

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    written: true,
    files: [
      { file: 'src/a.mts', edits: 1, places: [] },
      { file: 'package.json', edits: 1, places: [] },
    ],
  })
  expect(readFileSync(join(cwd, 'src/a.mts'), 'utf8')).toContain('@parley/compat/server/index.js')
  expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toContain('"@parley/compat": "^1.32.200"')
  expect(readFileSync(join(cwd, 'node_modules/b/index.js'), 'utf8')).toBe(source)
})

test('a path that does not exist is a wrong usage', async () => {
  const { code, stderr } = await run(['migrate', 'nowhere'], { cwd: folderWith({}) })

  expect(code).toBe(1)
  expect(stderr).toContain('nowhere does not exist')
})
