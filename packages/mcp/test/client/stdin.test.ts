import { PassThrough } from 'node:stream'

import { serveTransport } from '@parley/mcp/server'
import { createStdioTransport } from '@parley/mcp/stdio'
import { expect, test } from 'vitest'

import { createClient } from '../../src/client/create-client.ts'
import { decodeMessage } from '../../src/rpc/message.ts'
import { createSampleServer } from '../support/sample-server.ts'

test('a client writes nothing but messages to the stdin of its server, one a line [STDIO-08]', async () => {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  let written = ''
  toServer.on('data', (chunk: Buffer) => (written += chunk.toString()))
  const { server } = createSampleServer()
  serveTransport(server, createStdioTransport({ input: toServer, output: toClient }))
  const transport = createStdioTransport({ input: toClient, output: toServer })
  const client = await createClient(() => transport, {
    protocolVersion: 'legacy',
    roots: [],
    onError: () => undefined,
  })

  await client.callTool('count', { text: 'two\nlines\r\n and \u2028' })
  await client.setRoots(['/tmp'])
  await client.setLoggingLevel('debug')
  await client.callTool('nope').catch(() => undefined)
  await client.callTool('hang', {}, { signal: AbortSignal.timeout(5) }).catch(() => undefined)
  await client.ping()
  await client.close()

  expect(written.endsWith('\n')).toBe(true)
  const kinds = written
    .slice(0, -1)
    .split('\n')
    .map((line) => decodeMessage(line))
    .map((message) => ('method' in message ? message.method : message.kind))
  expect(kinds).toEqual([
    'initialize',
    'notifications/initialized',
    'tools/call',
    'notifications/roots/list_changed',
    'logging/setLevel',
    'tools/call',
    'tools/call',
    'notifications/cancelled',
    'ping',
  ])
})
