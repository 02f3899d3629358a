import { OutgoingMessage } from '@parley/mcp'
import { connect, type UrlEntry } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { openScriptedServer } from './scripted-server.ts'

test.each<[string, (url: string) => string | URL | UrlEntry]>([
  ['text', (url) => url],
  ['a URL', (url) => new URL(url)],
  ['an entry', (url) => ({ url })],
  ['an entry of type http', (url) => ({ type: 'http', url })],
  ['an entry of type streamable-http', (url) => ({ type: 'streamable-http', url })],
])('connects to an address given as %s', async (_, target) => {
  await using server = await openScriptedServer()
  await using client = await connect(target(server.url))

  await client.ping()

  expect(client.negotiated.transport).toBe('http')
  expect(client.server.info?.name).toBe('scripted')
})

test('the first connection is not tried again', async () => {
  await using server = await openScriptedServer({ POST: (reply) => reply.status(503) })

  await expect(connect(server.url)).rejects.toMatchObject({
    code: 'http_error',
    details: { status: 503 },
  })
  expect(server.seen).toHaveLength(1)
})

test.each(['ftp://example.com/mcp', 'file:///tmp/server.js', 'javascript:alert(1)'])(
  'does not connect to %s',
  async (target) => {
    await expect(connect(target)).rejects.toMatchObject({
      code: 'invalid_target',
      details: { target },
    })
  },
)

test('the signal of whoever connects gives it up and lets go of the socket', async () => {
  await using server = await openScriptedServer({ initialize: () => undefined })
  const controller = new AbortController()
  const outcome = connect(server.url, { signal: controller.signal }).catch(
    (error: unknown) => error,
  )
  await server.until('initialize')

  controller.abort(new Error('too slow'))

  expect(await outcome).toEqual(new Error('too slow'))
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('messages can be iterated by whoever has no client', async () => {
  const { createHttpTransport } =
    await import('../../../src/transport/http-client/http-transport.ts')
  await using server = await openScriptedServer()
  await using transport = createHttpTransport(new URL(server.url))

  await transport.send(new OutgoingMessage({ jsonrpc: '2.0', id: 7, method: 'ping' }))

  for await (const message of transport.messages) {
    expect(message).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
    break
  }
  await transport[Symbol.asyncDispose]()
  await expect(
    transport.send(new OutgoingMessage({ jsonrpc: '2.0', method: 'late' })),
  ).rejects.toMatchObject({
    code: 'closed',
  })
  expect(() =>
    transport.send(
      new OutgoingMessage({
        toJSON: () => {
          throw new Error('no JSON')
        },
      }),
    ),
  ).not.toThrow()
})
