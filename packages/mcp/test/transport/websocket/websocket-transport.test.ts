import { once } from 'node:events'

import {
  isMcpError,
  isRpcError,
  OutgoingMessage,
  type RawMessage,
  type RpcError,
  type Transport,
} from '@parley/mcp'
import { createWebSocketTransport, type SocketLike } from '@parley/mcp/websocket'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

import { isLonger } from '../../../src/transport/websocket/transport.ts'
import { closeOf, openSockets } from './sockets.ts'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

/** All that arrives, and how it ended. */
function read(transport: Transport) {
  const received: (RawMessage | RpcError)[] = []
  let waiting = { count: 0, resolve: (): void => undefined }
  const ended = new Promise<unknown>((resolve) => {
    transport.receive?.({
      message(message) {
        received.push(message)
        if (received.length >= waiting.count) waiting.resolve()
      },
      end: resolve,
    })
  })
  function until(count: number): Promise<void> {
    if (received.length >= count) return Promise.resolve()
    return new Promise((resolve) => (waiting = { count, resolve }))
  }
  return { received, ended, until }
}

/** Only what the standard has, as in a browser. */
function asInBrowser(socket: WebSocket): SocketLike {
  return {
    get readyState() {
      return socket.readyState
    },
    get bufferedAmount() {
      return socket.bufferedAmount
    },
    send: (data) => socket.send(data),
    close(code, reason) {
      if (code !== undefined && code !== 1000 && (code < 3000 || code > 4999)) {
        throw new DOMException(`${code} is not allowed`, 'InvalidAccessError')
      }
      socket.close(code, reason)
    },
    addEventListener: (type, listener) => socket.addEventListener(type, listener),
  }
}

test('sends one message per text frame, as it is [WS-02]', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near)
  const frames: [string, boolean][] = []
  far.on('message', (data: Buffer, isBinary) => frames.push([data.toString(), isBinary]))

  await transport.send(new OutgoingMessage(ping))
  await transport.send(new OutgoingMessage('{"jsonrpc":"2.0",\n"method":"x"}'))
  await transport[Symbol.asyncDispose]()

  expect(frames).toEqual([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', false],
    ['{"jsonrpc":"2.0",\n"method":"x"}', false],
  ])
})

test('says what it is', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, { peer: 'wss://example.com/mcp' })
  await using other = createWebSocketTransport(far)

  expect([transport.kind, transport.peer, other.peer]).toEqual([
    'websocket',
    'wss://example.com/mcp',
    'websocket',
  ])
})

test('refuses a binary frame with 1003 and says so [WS-08]', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near)
  const reading = read(transport)
  const closed = closeOf(far)

  far.send('{}')
  far.send(Buffer.from('{}'))

  expect(await closed).toEqual({ code: 1003, reason: 'messages are text frames, not binary ones' })
  expect(await reading.ended).toMatchObject({ code: 'connection_lost' })
  expect(reading.received).toEqual(['{}'])
})

test('a page, which may not send 1003, sends 4003 instead', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(asInBrowser(near))
  read(transport)

  const closed = closeOf(far)
  far.send(Buffer.from('{}'))

  expect((await closed).code).toBe(4003)
})

test('gives a message over the limit as an error in its place, and goes on', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, { messageBytes: 100 })
  const reading = read(transport)

  const texts = ['a'.repeat(100), 'a'.repeat(101), 'ü'.repeat(50), 'ü'.repeat(51), 'end']
  for (const text of texts) far.send(text)
  await reading.until(texts.length)

  expect(
    reading.received.map((got) => (isRpcError(got, 'limit_exceeded') ? got.data : got)),
  ).toEqual([
    'a'.repeat(100),
    { limit: 'messageBytes', allowed: 100, seen: 101 },
    'ü'.repeat(50),
    { limit: 'messageBytes', allowed: 100, seen: 102 },
    'end',
  ])
})

test('a message the socket itself refuses ends the channel, with 1009 for the peer', async () => {
  const { near, far } = await openSockets({ maxPayload: 1000 })
  await using transport = createWebSocketTransport(far)
  const reading = read(transport)
  const closed = closeOf(near)

  near.send('x'.repeat(1001))

  expect((await closed).code).toBe(1009)
  const error = await reading.ended
  expect(isMcpError(error, 'connection_lost') && error.message).toContain('Max payload size')
})

test.each([
  [1000, 'done'],
  [1001, 'the page is closed'],
  [undefined, undefined],
] as const)('ends cleanly when the peer closes with %s [WS-05]', async (code, reason) => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near)
  const reading = read(transport)

  far.send('last')
  far.close(code, reason)

  expect(await reading.ended).toBeUndefined()
  expect(reading.received).toEqual(['last'])
  await expect(transport.send(new OutgoingMessage(ping))).rejects.toMatchObject({ code: 'closed' })
})

test('says with which code and reason the peer gave up', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, { peer: 'them' })
  const reading = read(transport)

  far.close(1011, 'out of disk')

  expect(await reading.ended).toMatchObject({
    code: 'connection_lost',
    message: 'the WebSocket closed with code 1011: "out of disk"',
    peer: 'them',
    cause: { code: 1011, reason: 'out of disk' },
  })
  await expect(transport.send(new OutgoingMessage(ping))).rejects.toMatchObject({
    code: 'connection_lost',
  })
})

test('a connection that breaks ends with 1006', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near)
  const reading = read(transport)

  far.terminate()

  expect(await reading.ended).toMatchObject({ code: 'connection_lost', cause: { code: 1006 } })
})

test('closes with 1000', async () => {
  const { near, far } = await openSockets()
  const transport = createWebSocketTransport(near)
  const closed = closeOf(far)

  await transport[Symbol.asyncDispose]()

  expect(await closed).toEqual({ code: 1000, reason: '' })
  expect(near.readyState).toBe(WebSocket.CLOSED)
})

test('closes although the peer never answers the close', async () => {
  const { near, far } = await openSockets()
  far.pause()
  const transport = createWebSocketTransport(near)

  await transport[Symbol.asyncDispose]()

  expect(near.readyState).toBeGreaterThanOrEqual(WebSocket.CLOSING)
  far.terminate()
})

test('keeps what is sent while the socket opens', async () => {
  const listener = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  const opening = new WebSocket(`ws://127.0.0.1:${port}`)
  const transport = createWebSocketTransport(opening)

  const sent = [transport.send(new OutgoingMessage('1')), transport.send(new OutgoingMessage('2'))]
  const [far] = (await once(listener, 'connection')) as [WebSocket]
  const received: string[] = []
  far.on('message', (data: Buffer) => received.push(data.toString()))
  await once(opening, 'open')
  await transport.send(new OutgoingMessage('3'))
  await transport[Symbol.asyncDispose]()
  listener.close()

  expect(sent).toEqual([undefined, undefined])
  expect(received).toEqual(['1', '2', '3'])
})

test('a socket that is closed already ends at once', async () => {
  const { near, far } = await openSockets()
  near.terminate()
  await once(near, 'close')
  await using transport = createWebSocketTransport(near)

  expect(await read(transport).ended).toMatchObject({ code: 'connection_lost' })
  await expect(transport.send(new OutgoingMessage(ping))).rejects.toMatchObject({
    code: 'connection_lost',
  })
  far.terminate()
})

test('refuses what has no JSON at once, and stays usable', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near)
  const arrived = once(far, 'message')

  expect(() => transport.send(new OutgoingMessage({ ...ping, params: { big: 1n } }))).toThrow(
    TypeError,
  )
  await transport.send(new OutgoingMessage(ping))

  expect(String((await arrived)[0])).toBe(JSON.stringify(ping))
})

test('counts bytes as the network does', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(text, fc.nat(40), (given, limit) => {
      expect(isLonger(given, limit)).toBe(Buffer.byteLength(given) > limit)
    }),
  )
})
