import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile, run } from '../run.ts'

const mcp = repositoryFile('packages/mcp/dist/entry/server.js')
const definition = `import { createServer } from ${JSON.stringify(mcp)}
export const server = createServer({ name: 'mine', version: '1.0.0' })
server.tool('hello', {}, () => 'Hello.')`

test('serve --http listens until it is stopped', async () => {
  const cwd = folderWith({ 'server.mjs': definition })
  const controller = new AbortController()
  let called: Promise<{ readonly stdout: string }> | undefined

  const served = await run(['serve', 'server.mjs', '--http', '0'], {
    cwd,
    signal: controller.signal,
    onStderr: (text) => {
      const [, url = ''] = /listens on (\S+)/.exec(text) ?? []
      called = run(['call', url, 'hello']).finally(() => controller.abort(new Error('enough')))
    },
  })

  expect(served.code).toBe(0)
  expect((await called)?.stdout).toBe('Hello.\n')
})

test.each([
  [['--processes', '2'], '--processes needs --http'],
  [['--http', '0', '--processes', '0'], '--processes 0 is out of range: use 1 to 1024, or auto'],
  [['--http', '0', '--processes', 'all'], '--processes all is out of range'],
])('serve %j says what is wrong', async (args, words) => {
  const cwd = folderWith({ 'server.mjs': definition })

  const { code, stderr } = await run(['serve', 'server.mjs', ...args], { cwd })

  expect(code).not.toBe(0)
  expect(stderr).toContain(words)
})

test.each([
  ['two.mjs', 'exports 2 servers'],
  ['none.mjs', 'exports no server'],
  ['broken.mjs', 'cannot be loaded'],
  ['missing.mjs', 'cannot be loaded'],
])('serve %s says what is wrong', async (file, words) => {
  const cwd = folderWith({
    'two.mjs': `${definition}\nexport const other = createServer({ name: 'other', version: '1.0.0' })`,
    'none.mjs': 'export const x = 1',
    'broken.mjs': 'throw new Error("oh")',
  })

  const { code, stderr } = await run(['serve', file], { cwd })

  expect(code).toBe(1)
  expect(stderr).toContain(words)
})
