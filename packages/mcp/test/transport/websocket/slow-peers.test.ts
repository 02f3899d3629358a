import { once } from 'node:events'

import { OutgoingMessage } from '@parley/mcp'
import { createVirtualClock } from '@parley/mcp/testing'
import { createWebSocketTransport, type SocketLike } from '@parley/mcp/websocket'
import { expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'

import { closeOf, openSockets } from './sockets.ts'

const chunk = 'x'.repeat(64 * 1024)

function endOf(transport: ReturnType<typeof createWebSocketTransport>): Promise<unknown> {
  return new Promise((resolve) => transport.receive?.({ message() {}, end: resolve }))
}

test('stops reading from the network while nobody takes messages, and goes on when somebody does', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, { bufferedBytes: 256 * 1024 })

  for (let count = 0; count < 100; count++) far.send(chunk)
  await vi.waitFor(() => expect(near.isPaused).toBe(true))
  let received = 0
  transport.receive?.({ message: () => void (received += 1), end() {} })

  await vi.waitFor(() => expect(received).toBe(100))
  expect(near.isPaused).toBe(false)
})

test('asks a sender to wait, and lets it go on when the peer reads again', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, { bufferedBytes: 256 * 1024 })
  far.pause()

  let sent = 0
  let drained: Promise<void> | void = undefined
  while (!drained || near.bufferedAmount < 256 * 1024) {
    drained = transport.send(new OutgoingMessage(chunk))
    sent += 1
  }
  let received = 0
  far.on('message', () => (received += 1))
  far.resume()

  await drained
  expect(near.bufferedAmount).toBeLessThan(256 * 1024)
  await vi.waitFor(() => expect(received).toBe(sent))
})

test('cuts a peer that does not read from a sender that does not wait', async () => {
  const clock = createVirtualClock()
  const options = { clock, keepAliveMs: 0, bufferedBytes: 64 * 1024 }
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, options)
  const ended = endOf(transport)
  far.pause()
  while (near.bufferedAmount < 65 * 64 * 1024) void transport.send(new OutgoingMessage(chunk))

  expect(transport.send(new OutgoingMessage('a burst is no fault'))).toBeInstanceOf(Promise)
  await clock.advance(5_001)
  const last = transport.send(new OutgoingMessage(chunk))

  await expect(last).rejects.toMatchObject({ code: 'connection_lost' })
  expect(await ended).toMatchObject({
    code: 'connection_lost',
    message: expect.stringContaining('1013'),
  })
  await once(near, 'close') // although the peer never takes the close frame
  far.terminate()
})

test('cuts a peer that takes nothing for too long', async () => {
  const clock = createVirtualClock()
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, { clock, keepAliveMs: 3_000 })
  const ended = endOf(transport)
  far.pause()
  while (near.bufferedAmount < 1024 * 1024) void transport.send(new OutgoingMessage(chunk))
  await new Promise((resolve) => setTimeout(resolve, 100)) // until the kernel's buffers are full

  await clock.advance(3_000)
  expect(near.readyState).toBe(near.OPEN)
  await clock.advance(60_000)

  expect(await ended).toMatchObject({
    code: 'connection_lost',
    message: expect.stringContaining('1013'),
  })
  far.terminate()
})

test('a socket that cannot be paused is cut when too much is unread', async () => {
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(withoutPause(near), { bufferedBytes: 10 * 1024 })
  const closed = closeOf(far)

  for (let count = 0; count < 20; count++) far.send(chunk)

  expect((await closed).code).toBe(1013)
  expect(await endOf(transport)).toMatchObject({ code: 'connection_lost' })
})

function withoutPause(socket: WebSocket): SocketLike {
  return new Proxy<SocketLike>(socket, {
    get(target, name) {
      if (name === 'pause' || name === 'resume') return undefined
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
