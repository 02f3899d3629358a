import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execPath } from 'node:process'

import { connect } from '@parley/mcp/client'
import { createNodeHandler } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { officialClients } from '../../../test-support/official-clients.ts'
import { parley } from './programs.ts'
import { textOf } from './running.ts'

/** A server over HTTP that remembers the headers it was sent. */
async function serveNotes(): Promise<{ readonly url: string; readonly seen: IncomingMessage[] }> {
  const server = createServer({ name: 'far', version: '1.0.0', onDeprecated: () => undefined })
  server.tool('hello', {}, () => 'Hello.')
  server.tool('ask', {}, async (_, { elicit }) => {
    const requestedSchema = { type: 'object', properties: { one: { type: 'string' } } } as const
    return JSON.stringify(await elicit({ message: 'Which?', requestedSchema }))
  })
  const handler = createNodeHandler(server)
  const seen: IncomingMessage[] = []
  const http = createHttpServer((request, response) => {
    seen.push(request)
    handler(request, response)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}/mcp`, seen }
}

test.each(['legacy', 'modern'] as const)(
  'a server over HTTP is started like a command by a client of the %s era',
  async (protocolVersion) => {
    const { url, seen } = await serveNotes()
    await using client = await connect(
      {
        command: execPath,
        args: [parley, 'bridge', '--to', 'stdio', '--http', url, '--header', 'X-Team: blue'],
      },
      { protocolVersion, elicit: () => ({ action: 'accept', content: { one: 'this' } }) },
    )

    const hello = await client.callTool('hello')
    const asked = await client.callTool('ask')

    expect(textOf(hello)).toBe('Hello.')
    expect(textOf(asked)).toContain('"one":"this"')
    expect(new Set(seen.map(({ headers }) => headers['x-team']))).toEqual(new Set(['blue']))
  },
)

test.each(officialClients)('the official client %s starts it', async (_, openClient) => {
  const { url } = await serveNotes()
  const args = [parley, 'bridge', '--to', 'stdio', '--http', url]
  await using client = await openClient({ command: execPath, args })

  expect(JSON.stringify(await client.callTool({ name: 'hello', arguments: {} }))).toContain(
    'Hello.',
  )
})

test('it ends with its standard input', async () => {
  const { url } = await serveNotes()
  const child = spawn(execPath, [parley, 'bridge', '--to', 'stdio', '--http', url], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })

  child.stdin.end()
  const [code] = (await once(child, 'exit')) as [number]

  expect(code).toBe(0)
})

test('an address where nobody listens is an answer to the client, not the end', async () => {
  const entry = {
    command: execPath,
    args: [parley, 'bridge', '--to', 'stdio', '--http', 'http://127.0.0.1:9/mcp'],
  }

  await expect(connect(entry, { protocolVersion: 'legacy' })).rejects.toThrow(
    /the server behind this proxy cannot be used: cannot reach http:\/\/127\.0\.0\.1:9\/mcp/,
  )
})
