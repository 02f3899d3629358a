import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile, run, servers } from '../run.ts'

test.each([
  ['everything', servers.everything],
  ['official-everything', servers.officialEverything],
])('types of %s are as ever', async (name, command) => {
  const cwd = folderWith({})

  const { code, stdout } = await run(['types', '-o', 'src/of.ts', '--', ...command], { cwd })

  expect(code).toBe(0)
  expect(stdout).toMatch(/of\.ts: \d+ tools, 4 prompts\n$/)
  await expect(readFileSync(join(cwd, 'src/of.ts'), 'utf8')).toMatchFileSnapshot(
    `golden/${name}.txt`,
  )
})

const server = (argument: string) =>
  `import { createServer } from ${JSON.stringify(repositoryFile('packages/mcp/dist/entry/server.js'))}
export const server = createServer({ name: 'mine', version: '1.0.0' })
const properties = { ${argument}: { type: 'string' } }
server.tool('greet', { inputSchema: { type: 'object', properties } }, () => 'Hello.')
server.tool('same', {}, () => 'Same.')`

test('--check is clean until the server changes, then fails with 7', async () => {
  const cwd = folderWith({ 'server.mjs': server('who') })
  await run(['types', 'server.mjs'], { cwd })
  const before = await run(['types', 'server.mjs', '--check'], { cwd })
  writeFileSync(join(cwd, 'server.mjs'), server('whom'))

  const after = await run(['types', 'server.mjs', '--check'], { cwd })
  const asJson = await run(['types', 'server.mjs', '--check', '--json'], { cwd })

  expect(before).toMatchObject({ code: 0, stdout: '' })
  expect(after).toMatchObject({ code: 7, stdout: 'the tool greet has changed\n' })
  expect(asJson.code).toBe(7)
  expect(JSON.parse(asJson.stdout)).toEqual({ changes: ['the tool greet has changed'] })
  expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'assertion_failed' } })
})

test.each([
  ['nothing', {}],
  ['no JSON', { 'mcp.types.lock.json': '{' }],
  ['another file', { 'mcp.types.lock.json': { version: 2 } }],
])('--check beside %s says what to do', async (_what, files) => {
  const cwd = folderWith({ 'server.mjs': server('who'), ...files })

  const { code, stderr } = await run(['types', 'server.mjs', '--check'], { cwd })

  expect(code).toBe(1)
  expect(stderr).toContain('is missing or damaged')
  expect(stderr).toContain('without --check')
})

test('--check reads the server in the revision that the lock was written in', async () => {
  const cwd = folderWith({ 'server.mjs': server('who') })
  await run(['types', 'server.mjs', '--era', '2025-06-18'], { cwd })
  const lock: unknown = JSON.parse(readFileSync(join(cwd, 'mcp.types.lock.json'), 'utf8'))
  const trace = join(cwd, 'trace.ndjson')

  const { code } = await run(['types', 'server.mjs', '--check', '--trace', trace], { cwd })

  expect(lock).toMatchObject({ revision: '2025-06-18' })
  expect(code).toBe(0)
  const sent = readFileSync(trace, 'utf8')
  expect(sent).toContain('2025-06-18')
  expect(sent).not.toContain('server/discover') // a server that is slow to start would be taken for an old one
})
