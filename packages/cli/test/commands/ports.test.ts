import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { repositoryFile, run } from '../run.ts'

const files = {
  'server.mjs': `import { createServer } from ${JSON.stringify(repositoryFile('packages/mcp/dist/entry/server.js'))}
export const server = createServer({ name: 'mine', version: '1.0.0' })`,
}

test.each([['inspect'], ['dev', 'server.mjs'], ['serve', 'server.mjs']])(
  '%s takes --port as the others do',
  async (...words) => {
    const options = { cwd: folderWith(files), env: { PARLEY_STATE: folderWith({}) } }
    await using taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo // an address, no pipe
    const open = words[0] === 'serve' ? [] : ['--no-open']

    const high = await run([...words, '--port', '70000'], options)
    const none = await run([...words, '--port', 'abc'], options)
    const busy = await run([...words, '--port', String(port), ...open], options)

    expect(high).toMatchObject({
      code: 1,
      stderr: 'error: port 70000 is out of range: use 0 to 65535\n',
    })
    expect(none.stderr).toBe('error: a port is a number from 0 to 65535, not "abc"\n')
    expect(busy).toMatchObject({
      code: 1,
      stderr: `error: port ${port} is in use\nChoose another with --port NUMBER; 0 picks a free one.\n`,
    })
  },
)

test('two ports for one server are refused', async () => {
  const cwd = folderWith(files)

  const { code, stderr } = await run(['serve', 'server.mjs', '--http', '1', '--port', '2'], { cwd })

  expect(code).toBe(1)
  expect(stderr).toContain('--http 1 and --port 2 name different ports')
})
