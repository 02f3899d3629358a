import { once } from 'node:events'

import { createVirtualClock } from '@parley/mcp/testing'
import { createWebSocketTransport } from '@parley/mcp/websocket'
import { expect, test } from 'vitest'

import { openSockets } from './sockets.ts'

const keepAliveMs = 15_000

test('pings after silence, and is satisfied by the answer', async () => {
  const clock = createVirtualClock()
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, { clock, keepAliveMs })
  let ends = 0
  transport.receive?.({ message() {}, end: () => (ends += 1) })

  for (let round = 0; round < 4; round++) {
    const [asked, answered] = [once(far, 'ping'), once(near, 'pong')]
    await clock.advance(keepAliveMs + keepAliveMs / 3)
    await Promise.all([asked, answered])
  }

  expect(ends).toBe(0)
})

test('does not ping a peer that talks', async () => {
  const clock = createVirtualClock()
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, { clock, keepAliveMs })
  let pings = 0
  far.on('ping', () => (pings += 1))

  for (let round = 0; round < 8; round++) {
    const arrived = once(near, 'message')
    far.send('{}')
    await arrived
    await clock.advance(keepAliveMs / 2)
  }
  const closed = once(far, 'close')
  await transport[Symbol.asyncDispose]()
  await closed // a ping would have come before it

  expect(pings).toBe(0)
})

test('gives up a peer that does not answer a ping', async () => {
  const clock = createVirtualClock()
  const { near, far } = await openSockets()
  await using transport = createWebSocketTransport(near, { clock, keepAliveMs })
  const ended = new Promise<unknown>((resolve) =>
    transport.receive?.({ message() {}, end: resolve }),
  )
  far.pause()

  await clock.advance(keepAliveMs)
  expect(near.readyState).toBe(near.OPEN)
  await clock.advance(keepAliveMs)

  expect(await ended).toMatchObject({
    code: 'connection_lost',
    message: 'the peer did not answer a ping',
  })
  expect(near.readyState).toBeGreaterThanOrEqual(near.CLOSING)
  far.terminate()
})

test('takes nobody for gone while it does not read itself', async () => {
  const clock = createVirtualClock()
  const { near, far } = await openSockets()
  await using _ = createWebSocketTransport(near, { clock, keepAliveMs, bufferedBytes: 1000 })
  far.send('x'.repeat(2000))
  await once(near, 'message') // nobody receives it

  await clock.advance(10 * keepAliveMs)

  expect([near.isPaused, near.readyState]).toEqual([true, near.OPEN])
})

test.each([0, Infinity])('keeps no watch with keepAliveMs %s', async (never) => {
  const clock = createVirtualClock()
  const { near } = await openSockets()
  await using _ = createWebSocketTransport(near, { clock, keepAliveMs: never })

  expect(clock.pending).toBe(0)
})

test('leaves no timer behind', async () => {
  const clock = createVirtualClock()
  const { near } = await openSockets()
  const transport = createWebSocketTransport(near, { clock })
  expect(clock.pending).toBe(1)

  await transport[Symbol.asyncDispose]()

  expect(clock.pending).toBe(0)
})
