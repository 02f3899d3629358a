import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Server } from 'node:net'

import { type ClientAuth, connect } from '@parley/mcp/client'
import type { HttpGuard } from '@parley/mcp/http'
import { openWebSocket } from '@parley/mcp/websocket'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

import { loadWs } from '../../../src/transport/websocket/load-ws-unsupported.ts'
import { createSampleServer } from '../../support/sample-server.ts'
import { listen } from './sockets.ts'

async function listening(server: Server): Promise<{ url: string; close(): void }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `ws://127.0.0.1:${port}/mcp`, close: () => void server.close() }
}

test('names the subprotocol, sends headers, and keeps secrets out of its name', async () => {
  await using accepting = await listen(createSampleServer().server)
  const asked = once(accepting.http, 'upgrade')

  const url = accepting.url.replace('ws://', 'ws://user:secret@')
  await using transport = await openWebSocket(`${url}?token=secret`, { headers: { 'x-key': '1' } })

  const [request] = (await asked) as [{ headers: object; url: string }]
  expect(request.headers).toMatchObject({ 'sec-websocket-protocol': 'mcp', 'x-key': '1' })
  expect(request.url).toBe('/mcp?token=secret')
  expect(transport.peer).toBe(accepting.url)
})

test('uses the WebSocket it is given', async () => {
  await using accepting = await listen(createSampleServer().server)
  const opened: unknown[] = []
  function Recording(url: string, protocols: string[]): WebSocket {
    opened.push([url, protocols])
    return new WebSocket(url, protocols)
  }

  // A function that returns an object is a constructor of it.
  const given = Recording as unknown as new (url: string, protocols: string[]) => WebSocket
  await using _ = await openWebSocket(accepting.url, { WebSocket: given })

  expect(opened).toEqual([[accepting.url, ['mcp']]])
})

test.each(['http://example.com', 'example.com', 'ws://', 'wss://example.com/#part'])(
  'refuses %s',
  async (target) => {
    await expect(openWebSocket(target)).rejects.toMatchObject({
      code: 'invalid_target',
      details: { target },
    })
  },
)

test('says that nobody listens', async () => {
  const { url, close } = await listening(createSocketServer())
  close()

  await expect(openWebSocket(url)).rejects.toMatchObject({
    code: 'unreachable',
    details: { systemCode: 'ECONNREFUSED' },
    retryable: true,
    peer: url,
  })
})

test('shows what an HTTP server says instead', async () => {
  const http = createHttpServer((_, response) => void response.writeHead(404).end('no such page'))
  const { url, close } = await listening(http)

  await expect(openWebSocket(url)).rejects.toMatchObject({
    code: 'http_error',
    details: { status: 404, excerpt: 'no such page' },
    hint: expect.stringContaining('websocket: true'),
  })
  close()
})

/** Who has the right token, if anybody. */
const guard: HttpGuard = {
  async authenticate({ header }) {
    if (header('authorization') === 'Bearer good') return { kind: 'allow' }
    const headers = { 'www-authenticate': 'Bearer realm="notes"' }
    return { kind: 'deny', status: 401, headers, message: 'who is it?' }
  },
}

test('signs in where that is asked for, and opens again', async () => {
  await using accepting = await listen(createSampleServer().server, { auth: guard })
  const asked: unknown[] = []
  let token: string | undefined
  const auth: ClientAuth = {
    async authorize({ method, url }) {
      asked.push([method, url.protocol])
      return token === undefined ? {} : { authorization: token }
    },
    async challenged({ status, wwwAuthenticate, attempt }) {
      asked.push([status, wwwAuthenticate, attempt])
      token = 'Bearer good'
      return true
    },
  }

  await using client = await connect(accepting.url, { auth })

  expect(client.negotiated.transport).toBe('websocket')
  expect(asked).toEqual([
    ['GET', 'http:'],
    [401, 'Bearer realm="notes"', 1],
    ['GET', 'http:'],
  ])
})

test('says so where signing in does not help, or fails', async () => {
  await using accepting = await listen(createSampleServer().server, { auth: guard })
  const authorize = async (): Promise<{ authorization: string }> => ({
    authorization: 'Bearer bad',
  })
  const failure = new Error('the issuer is away')

  for (const challenged of [
    async () => false,
    async () => true, // again and again
    async () => Promise.reject(failure),
  ]) {
    const opening = openWebSocket(accepting.url, { auth: { authorize, challenged } })
    await expect(opening).rejects.toMatchObject({ code: 'unauthorized', peer: accepting.url })
  }
})

test('shows why our own server refused', async () => {
  await using accepting = await listen(createSampleServer().server)

  await expect(
    openWebSocket(accepting.url, { headers: { origin: 'https://evil.example' } }),
  ).rejects.toMatchObject({
    code: 'http_error',
    details: { status: 403, excerpt: expect.stringContaining('allowedOrigins') },
  })
})

test('does not take a socket without the subprotocol for MCP', async () => {
  const chat = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => false })
  await once(chat, 'listening')

  const opening = openWebSocket(`ws://127.0.0.1:${(chat.address() as AddressInfo).port}`)

  await expect(opening).rejects.toMatchObject({ code: 'not_mcp' })
  chat.close()
})

test('gives up a server that does not answer, and one that was abandoned', async () => {
  const { url, close } = await listening(createSocketServer(() => undefined))
  const controller = new AbortController()
  const reason = new Error('no longer needed')

  const abandoned = openWebSocket(url, { signal: controller.signal })
  controller.abort(reason)

  await expect(abandoned).rejects.toBe(reason)
  await expect(openWebSocket(url, { signal: controller.signal })).rejects.toBe(reason)
  await expect(openWebSocket(url, { connectMs: 20 })).rejects.toMatchObject({
    code: 'timeout',
    details: { limit: 'connect', ms: 20 },
  })
  close()
})

test('a runtime without the package says what to do', async () => {
  await expect(loadWs()).rejects.toMatchObject({
    code: 'unsupported_runtime',
    details: { needs: 'ws' },
  })
})
