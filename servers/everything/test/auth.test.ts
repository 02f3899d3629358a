import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { browserAuth, createMemoryTokenStore } from '@parley/auth/client'
import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'

import { visitAs } from '../../../test-support/person.ts'
import { textsOf } from './support.ts'

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo // listening on an address, not a pipe
  await new Promise((resolve) => listener.close(resolve))
  return port
}

/** The program with `--auth`, and what it printed until it listened. */
async function start(channel: string) {
  const env = { PORT: String(await freePort()) }
  const child = spawn(execPath, [program, channel, '--auth'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  })
  let printed = ''
  for await (const line of createInterface(child.stderr)) {
    printed += `${line}\n`
    if (line.includes('listens on ')) break
  }
  const [, user = '', password = ''] =
    /sign in as (\S+) with the password (\S+)/.exec(printed) ?? []
  const [, url = ''] = /listens on (\S+)/.exec(printed) ?? []
  return { user, password, url }
}

test.each([
  ['streamableHttp', (url: string) => ({ url })],
  ['sse', (url: string) => ({ type: 'sse' as const, url })],
])(
  'with --auth, %s serves who signs in with the printed password [ROAD-07]',
  async (channel, entry) => {
    const { user, password, url } = await start(channel)
    const opened: URL[] = []
    const auth = browserAuth({
      store: createMemoryTokenStore(),
      async open(page) {
        opened.push(page)
        await visitAs(user, password, page)
      },
    })

    const stranger = await fetch(url)
    await using client = await connect(entry(url), { auth })
    const echo = await client.callTool('echo', { message: 'to somebody known' })

    expect(stranger.status).toBe(401)
    expect(textsOf(echo)).toEqual(['Echo: to somebody known'])
    expect(opened).toHaveLength(1)
  },
)

test('with --auth, who has another password gets nowhere', async () => {
  const { user, url } = await start('streamableHttp')
  const controller = new AbortController()
  const auth = browserAuth({
    store: createMemoryTokenStore(),
    async open(page) {
      await visitAs(user, 'a guess', page)
      controller.abort(new Error('nobody came back'))
    },
  })

  const attempt = connect(url, { auth, signal: controller.signal })

  await expect(attempt).rejects.toThrow('nobody came back')
})

test('--auth needs a port that is known beforehand', () => {
  const { status, stderr } = spawnSync(execPath, [program, 'streamableHttp', '--auth'], {
    encoding: 'utf8',
    env: { PORT: '0' },
  })

  expect(status).toBe(1)
  expect(stderr).toContain('--auth needs a port')
})
