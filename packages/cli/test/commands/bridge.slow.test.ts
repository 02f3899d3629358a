import { execPath } from 'node:process'

import { connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { visitAs } from '../../../../test-support/person.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { startEverything } from '../http-server.ts'
import { repositoryFile, run } from '../run.ts'

test('bridge --oauth signs in once, and the next start uses what was kept', async () => {
  await using http = await startEverything('streamableHttp', '--auth')
  const env = { PARLEY_STATE: folderWith({}), MCP_SECRET_KEY: 'words' }
  const [, user = '', password = ''] =
    /sign in as (\S+) with the password (\S+)/.exec(http.printed) ?? []
  const controller = new AbortController()
  let called: Promise<string> | undefined

  const words = ['bridge', '--to', 'http', '--port', '0', '--http', http.url, '--oauth']
  const first = await run([...words, '--no-open', '--json'], {
    env,
    signal: controller.signal,
    onStdout: (text) => {
      const { url } = JSON.parse(text) as { readonly url: string } // as it says with --json
      called = callEcho(url).finally(() => controller.abort(new Error('enough')))
    },
    onStderr: (text) => {
      const [, page] = /(https?:\/\/\S+)/.exec(text) ?? []
      if (page !== undefined) void visitAs(user, password, new URL(page))
    },
  })
  const args = [repositoryFile('packages/cli/dist/main.js'), 'bridge', '--to', 'stdio']
  const second = await callEcho({
    command: execPath,
    args: [...args, '--http', http.url, '--oauth', '--no-open'],
    env,
  })

  expect(await called).toContain('hi')
  expect(first.stderr).toContain('To sign in, open this address')
  expect(second).toContain('hi')
})

async function callEcho(target: Parameters<typeof connect>[0]): Promise<string> {
  await using client = await connect(target as string, { timeouts: { connectMs: 60_000 } })
  return JSON.stringify(await client.callTool('echo', { message: 'hi' }))
}
