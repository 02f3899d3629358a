import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type Channels, createChannels } from '@parley/foundation/channel'
import { describe, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'

interface Events {
  'clock/ticked': { readonly count: number }
}

async function serve(handle: (method: unknown, params: unknown) => Promise<unknown>) {
  const channels = createChannels<Events>({
    protocol: 'parley.test.1',
    handle,
    toProblem: (error) => ({ code: 'failed', message: String(error) }),
  })
  const server = createServer().listen(0, '127.0.0.1')
  server.on('upgrade', channels.upgrade)
  await once(server, 'listening')
  onTestFinished(async () => {
    channels.close()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo // it listens on TCP
  return { channels, open: (protocol?: string) => openSocket(port, protocol) }
}

function openSocket(port: number, protocol = 'parley.test.1'): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${port}`, [protocol])
}

async function nextMessage(socket: WebSocket): Promise<unknown> {
  const [data] = (await once(socket, 'message')) as [Buffer]
  return JSON.parse(data.toString('utf8'))
}

async function closedWith(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, 'close')) as [number]
  return code
}

/** A page can listen only once it is connected. */
async function ready(socket: WebSocket, channels: Channels<Events>): Promise<void> {
  await once(socket, 'open')
  const told = nextMessage(socket)
  channels.broadcast({ event: 'clock/ticked', data: { count: 1 } })
  expect(await told).toEqual({ event: 'clock/ticked', data: { count: 1 } })
}

describe('the channel of a page', () => {
  test('answers each question by its id, with a result or a problem, and tells events', async () => {
    const { channels, open } = await serve(async (method, params) => {
      if (method === 'fail') throw new Error('no')
      return method === 'nothing' ? undefined : { method, params }
    })
    const socket = open()
    await ready(socket, channels)

    socket.send(JSON.stringify({ id: 1, method: 'echo', params: { a: 1 } }))
    expect(await nextMessage(socket)).toEqual({
      id: 1,
      result: { method: 'echo', params: { a: 1 } },
    })
    socket.send(JSON.stringify({ id: 2, method: 'fail' }))
    expect(await nextMessage(socket)).toEqual({
      id: 2,
      error: { code: 'failed', message: 'Error: no' },
    })
    socket.send(JSON.stringify({ id: 3, method: 'nothing' }))
    expect(await nextMessage(socket)).toEqual({ id: 3, result: {} })
  })

  test.each([
    ['what is no JSON', 'hello', 1007],
    ['a question without an id', '{"method":"echo"}', 1007],
    ['bytes', Buffer.from('{"id":1}'), 1003],
    ['more than a message may have', `"${'x'.repeat(4 * 1024 * 1024)}"`, 1009],
  ] as const)('cuts off a page that sends %s', async (_, data, code) => {
    const { channels, open } = await serve(async () => ({}))
    const socket = open()
    await ready(socket, channels)
    const closed = closedWith(socket)
    socket.send(data)
    expect(await closed).toBe(code)
  })

  test('lets sixteen pages in, and only by its own protocol', async () => {
    const { open } = await serve(async () => ({}))
    const pages = Array.from({ length: 16 }, () => open())
    await Promise.all(pages.map((page) => once(page, 'open')))
    expect(await closedWith(open())).toBe(1013)

    const other = open('parley.other.1')
    const [error] = (await once(other, 'error')) as [Error]
    expect(error.message).toContain('subprotocol')
  })
})
