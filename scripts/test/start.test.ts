import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { expect, test } from 'vitest'

import { root } from '../source-files.mjs'

function start(...args: readonly string[]) {
  return spawnSync(execPath, [join(root, 'scripts/start.mjs'), ...args], { encoding: 'utf8' })
}

test.each([
  [['--port', 'abc'], 'error: a port is a number from 0 to 65535, not "abc"\n'],
  [['--port', '70000', '--serve'], 'error: port 70000 is out of range: use 0 to 65535\n'],
  [['--cluster', '0'], 'error: --cluster 0 is out of range: use 1 to 64 processes\n'],
  [['--bogus'], "error: Unknown option '--bogus'\nnpm start -- --help lists the options.\n"],
])('npm start -- %j says what is wrong, without a stack', (args, said) => {
  expect(start(...args)).toMatchObject({ status: 1, stdout: '', stderr: said })
})

test('a port that is in use is named, with the flag to choose another', async () => {
  await using server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // an address, no pipe

  expect(start('--no-open', '--port', String(port))).toMatchObject({
    status: 1,
    stderr: `error: port ${port} is in use\nChoose another with --port NUMBER; 0 picks a free one.\n`,
  })
})
