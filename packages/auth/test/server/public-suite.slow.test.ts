import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { createBrowser, resource, signIn } from './harness.ts'
import { listenAuthServer } from './listening.ts'

const root = new URL('../../../../', import.meta.url)
const program = fileURLToPath(
  new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', root),
)
const olderNode = new URL('conformance/suite/older-node.mjs', root).href

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on an address, not a pipe
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Plays a person at a browser for the suite: it prints where to go. */
async function runScenarios(base: string, port: number, visit: (url: string) => Promise<void>) {
  const args = ['--url', base, '--client-id', 'suite', '--resource', resource, '--port', `${port}`]
  const child = spawn(execPath, ['--import', olderNode, program, 'authorization', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let visited: Promise<void> | undefined
  function read(chunk: Buffer): void {
    output += chunk.toString('utf8')
    const [url] = /http:\S+\/authorize\?\S+(?=\s)/.exec(output) ?? []
    if (url !== undefined) visited ??= visit(url)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const code = await new Promise((resolve) => child.on('close', resolve))
  await visited
  return { code, output }
}

test('passes both scenarios of the public suite for authorization servers [N11-AUTH-03] [N07-AUTH-04]', async () => {
  const port = await freePort()
  const redirectUris = [`http://127.0.0.1:${port}/callback`]
  await using server = await listenAuthServer({ clients: [{ clientId: 'suite', redirectUris }] })

  const { code, output } = await runScenarios(server.issuer, port, async (url) => {
    const callback = await signIn(createBrowser(server), { url, verifier: '' })
    await fetch(callback)
  })

  expect(output).toContain('authorization-server-metadata-endpoint')
  expect(output).toContain('authorization-code-grant')
  expect(output).toContain('Total: 3 passed, 0 failed')
  expect(code).toBe(0)
})
