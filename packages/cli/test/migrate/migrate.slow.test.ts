import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { unifiedDiff } from '@parley/foundation/diff'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { migrateSource } from '../../src/migrate/migrate-source.ts'
import { chapters } from '../../src/migrate/source.ts'
import { run } from '../run.ts'
import * as programs from './programs.ts'

test.each(Object.entries(programs))('%s is moved as it should be', async (_, { before, after }) => {
  const moved = await migrateSource('program.ts', before)
  expect(moved?.text).toBe(after)
  expect(moved?.places).toEqual([])
})

test.each(Object.entries(programs))('%s stays as it is, once moved', async (_, { after }) => {
  const again = await migrateSource('program.ts', after)
  expect(again?.text ?? after).toBe(after)
})

test('a source without the official SDK is not touched', async () => {
  expect(await migrateSource('a.ts', "import { z } from 'zod'\nserver.tool('a', {}, f)\n")).toBe(
    undefined,
  )
})

test('a source that requires the SDK is left whole, with a comment', async () => {
  const text = `const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js')
const server = new McpServer({ name: 'a', version: '1.0.0' })
server.registerTool('a', {}, () => ({ content: [] }))
`
  const moved = await migrateSource('a.cjs', text)
  expect(moved?.text).toMatch(/^\/\/ parley: write import instead of require.*\n/)
  expect(moved?.text.endsWith(text)).toBe(true)
  expect(moved).toMatchObject({ edits: 0, places: [{ line: 1 }] })
})

test('a source that cannot be parsed is left, and told of', async () => {
  const text = "import { Client } from '@modelcontextprotocol/sdk/client/index.js'\nconst = 1\n"
  expect(await migrateSource('a.ts', text)).toMatchObject({
    text,
    edits: 0,
    places: [{ message: 'this file cannot be parsed, and was left as it is' }],
  })
})

test('a client that is made and connected in different places keeps its class, and its calls are moved', async () => {
  const text = `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
export class Reader {
  constructor(private client: Client) {
    this.client = new Client({ name: 'a', version: '1.0.0' })
  }
  read(uri: string) {
    return this.client.readResource({ uri })
  }
}
`
  const moved = await migrateSource('a.ts', text)
  expect(moved?.text).toContain(
    "import { Client } from '@modelcontextprotocol/sdk/client/index.js'",
  )
  expect(moved?.text).not.toContain('@parley/mcp/client')
  expect(moved?.text).toContain(
    '    // parley: write `const client = await connect(target, { info })`',
  )
  expect(moved?.text).toContain('this.client.readResource(uri)')
})

test('a name that a function inside has for itself is not touched', async () => {
  const text = `server.registerResource('a', 'a://b', {}, (uri) => ({
  contents: ['c'].map((uri) => ({ uri, text: uri })).concat({ uri: uri.href, text: '' }),
}))
`
  expect((await migrateSource('a.js', text))?.text)
    .toBe(`server.resource('a://b', { name: 'a' }, (_, context) => ({
  contents: ['c'].map((uri) => ({ uri, text: uri })).concat({ uri: context.uri, text: '' }),
}))
`)
})

test('handlers of a file that is given the server are moved, too', async () => {
  const text = `import { GetPromptRequestSchema, ListPromptsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { prompts, find } from './all.js'
export function register(server) {
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({ prompts }))
  server.setRequestHandler(GetPromptRequestSchema, (request) => find(request.params.name))
}
`
  const moved = await migrateSource('a.js', text)
  expect(moved?.places).toEqual([])
  expect(moved?.text).not.toContain('modelcontextprotocol')
  expect(moved?.text).toContain('  const getPrompt = (request) => find(request.params.name)\n')
  expect(moved?.text).toContain(
    '  for (const { name, title, description, arguments: list = [] } of prompts)',
  )
})

test('resources that come and go are listed when they are asked for, and the template is left to write', async () => {
  const moved = await migrateSource('a.js', dynamicResources)
  expect(moved?.text).toContain(
    'const listResources = async () => ({ resources: [...files.values()] })',
  )
  expect(moved?.text).toContain(
    'list: async () => (await listResources()).resources }, (_, context) =>',
  )
  expect(moved?.places).toMatchObject([
    { message: 'every URI is read here: write the template of yours instead of {+uri}' },
  ])
})

const dynamicResources = `import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ListResourcesRequestSchema, ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js'
const files = new Map()
const server = new Server({ name: 'a', version: '1.0.0' }, { capabilities: { resources: {} } })
server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [...files.values()] }))
server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({ contents: [files.get(params.uri)] }))
`

test('a list that needs what is made below it, or waits in a constructor, is left', async () => {
  const below = await migrateSource(
    'a.js',
    lowLevelList('async () => ({ tools: all })') + 'const all = []\n',
  )
  const waiting = await migrateSource(
    'a.js',
    lowLevelList('async () => ({ tools: await all() })')
      .replace('const server', 'class A { constructor() {\nconst server')
      .concat('} }\n'),
  )

  expect(below?.places[0]?.message).toContain(
    'all is used for the list, and made below: move it up',
  )
  expect(waiting?.places[0]?.message).toContain('tools are listed by work that is waited for')
})

function lowLevelList(handler: string): string {
  return `import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
const server = new Server({ name: 'a', version: '1.0.0' })
server.setRequestHandler(ListToolsRequestSchema, ${handler})
server.setRequestHandler(CallToolRequestSchema, async (request) => run(request))
`
}

test('what FastMCP gives to a handler and we do not is left, with a comment', async () => {
  const text = `import { FastMCP } from 'fastmcp'
const server = new FastMCP({ name: 'a', version: '1.0.0' })
server.addTool({ name: 'a', streamKeepalive: true, execute: async (args, { streamContent }) => streamContent(args) })
server.addResource({ uri: 'a://b', name: 'b', load: async (auth) => ({ text: auth.userId }) })
`
  const moved = await migrateSource('a.js', text)
  expect(moved?.places.map(({ message }) => message)).toEqual([
    'the option streamKeepalive has no counterpart of this name',
    'the context has no streamContent; auth and app say who calls',
    'the second argument is the context, and its auth says who calls',
  ])
})

test('an error handler with names of its own function stays, with a comment', async () => {
  const text = `import { Server } from '@modelcontextprotocol/sdk/server/index.js'
const server = new Server({ name: 'a', version: '1.0.0' })
export function start(log) {
  server.onerror = (error) => log(error)
}
`
  const moved = await migrateSource('a.js', text)
  expect(moved?.text).toContain('  server.onerror = (error) => log(error)')
  expect(moved?.places).toMatchObject([{ message: 'pass onError to createServer' }])
})

test('a chain of ten thousand operators and a change of 200,000 lines do not end it', async () => {
  const chain = Array.from({ length: 10_000 }, () => "'a'").join(' + ')
  const text = `import { Server } from '@modelcontextprotocol/sdk/server/index.js'\nexport const a = ${chain}\nexport const b = new Server({ name: 'a', version: '1.0.0' })\n`
  expect((await migrateSource('a.js', text))?.text).toContain('createServer(')

  const lines = 'a\n'.repeat(100_000)
  expect(unifiedDiff('a', lines, lines.replaceAll('a', 'b')).length).toBeGreaterThan(400_000)
})

const express = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

const server = new McpServer({ name: 'a', version: '1.0.0' })
export async function handle(request, response) {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  await server.connect(transport)
  await transport.handleRequest(request, response)
}
`
const manifest = {
  name: 'a',
  dependencies: { '@modelcontextprotocol/sdk': '^1.0.0', express: '^5.0.0' },
}

test('what is left has a comment with a link at its place, and what it needs stays imported', async () => {
  const moved = await migrateSource('a.js', express)
  expect(moved?.text).toContain(
    `  // parley: replace the transport, its routes and sessions by serveHttp(server), or createNodeHandler(server) in your own application (https://github.com/parley-mcp/parley/blob/main/docs/migrating-examples.md#server-before-and-after)
  const transport = new StreamableHTTPServerTransport(`,
  )
  expect(moved?.text).toContain(
    "import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'",
  )
  expect(moved?.text).not.toContain('McpServer }')
  expect(moved?.places.map(({ line }) => line)).toEqual([6, 7])

  const again = await migrateSource('a.js', moved?.text ?? '')
  expect(again?.text.match(/parley: replace the transport/g)).toHaveLength(1)
})

test('shows a diff, writes nothing, and ends with 6 where something is left', async () => {
  const cwd = folderWith({ 'src/a.js': express, 'package.json': manifest })
  const { code, stdout, stderr } = await run(['migrate'], { cwd })

  expect(code).toBe(6)
  expect(stdout).toContain('--- src/a.js\n+++ src/a.js\n@@ -1,9 +1,11 @@\n-import { McpServer }')
  expect(stdout).toContain('src/a.js:6: replace the transport')
  expect(stdout).toMatch(/2 files, \d+ edits to make, 2 places left\n/)
  expect(stderr).toContain('2 places left to do by hand')
  expect(readFileSync(join(cwd, 'src/a.js'), 'utf8')).toBe(express)
})

test('writes sources and exchanges dependencies that nothing uses any more', async () => {
  const cwd = folderWith({ 'src/server.ts': programs.firstServer.before, 'package.json': manifest })
  const { code, stdout } = await run(['migrate', '--write', '--json'], { cwd })

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    written: true,
    files: [{ file: 'src/server.ts', places: [] }, { file: 'package.json' }],
  })
  expect(readFileSync(join(cwd, 'src/server.ts'), 'utf8')).toBe(programs.firstServer.after)
  const { dependencies } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  expect(dependencies).toEqual({ '@parley/mcp': '^0.1.0', express: '^5.0.0' })
})

test('Zod 3 becomes Zod 4, and that is told', async () => {
  const old = { ...manifest, dependencies: { ...manifest.dependencies, zod: '^3.25.0' } }
  const cwd = folderWith({ 'server.ts': programs.firstServer.before, 'package.json': old })
  const { code, stdout } = await run(['migrate', '--write', '--json'], { cwd })

  expect(code).toBe(6)
  expect(JSON.parse(stdout).files[1]).toMatchObject({
    places: [{ message: expect.stringContaining('zod 3 became zod 4') }],
  })
  expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toContain('"zod": "^4.2.0"')
})

test('refuses to write files that git could not bring back, unless forced', async () => {
  const cwd = folderWith({ 'a.js': programs.firstClient.before })
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd })
  git('init', '--quiet')
  const refused = await run(['migrate', '--write'], { cwd })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/not committed: .*a\.js\nCommit or stash/)
  expect(readFileSync(join(cwd, 'a.js'), 'utf8')).toBe(programs.firstClient.before)

  expect(await run(['migrate', '--write', '--force'], { cwd })).toMatchObject({ code: 0 })
  expect(readFileSync(join(cwd, 'a.js'), 'utf8')).toBe(programs.firstClient.after)

  writeFileSync(join(cwd, 'a.js'), programs.firstClient.before)
  git('add', '.')
  git('commit', '--quiet', '-m', 'a')
  expect(await run(['migrate', '--write'], { cwd })).toMatchObject({ code: 0 })
  expect(readFileSync(join(cwd, 'a.js'), 'utf8')).toBe(programs.firstClient.after)
})

test('asking git runs no program that the folder names', async () => {
  const cwd = folderWith({ 'a.js': programs.firstClient.before, '.gitattributes': '* filter=x' })
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd })
  git('init', '--quiet')
  git('add', '.')
  for (const key of ['core.fsmonitor', 'filter.x.clean', 'filter.x.process']) {
    git('config', key, `touch ran-${key.replaceAll('.', '-')}`)
  }
  git('config', 'filter.x.required', 'true')
  const hook = join(cwd, '.git/hooks/post-index-change')
  writeFileSync(hook, '#!/bin/sh\ntouch ran-hook\n', { mode: 0o755 })
  utimesSync(join(cwd, 'a.js'), 1, 1) // git looks into the file

  expect(await run(['migrate', '--write'], { cwd })).toMatchObject({ code: 1 })
  expect(readdirSync(cwd).toSorted()).toEqual(['.git', '.gitattributes', 'a.js'])
})

test('comments name pages and headings that exist', () => {
  for (const chapter of Object.values(chapters)) {
    const [page = '', heading] = chapter.split('#')
    const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8')
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z ]/g, '')
        .replaceAll(' ', '-'),
    )
    if (heading !== undefined) expect(headings).toContain(heading)
  }
})

test('a path that does not exist is a wrong usage', async () => {
  const { code, stderr } = await run(['migrate', 'nowhere'], { cwd: folderWith({}) })
  expect(code).toBe(1)
  expect(stderr).toContain('nowhere does not exist')
})

test('diffs are those of diff -u', () => {
  const before = Array.from({ length: 20 }, (_, at) => `${at}`).join('\n')
  const after = before.replace('\n3\n', '\nthree\n').replace('\n16\n', '\n')
  expect(unifiedDiff('a', before, after)).toBe(
    '--- a\n+++ a\n@@ -1,7 +1,7 @@\n 0\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n@@ -14,7 +14,6 @@\n 13\n 14\n 15\n-16\n 17\n 18\n 19\n\\ No newline at end of file',
  )
})
