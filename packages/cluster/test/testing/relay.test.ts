import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

import { openRelay } from '@parley/cluster/testing'
import { expect, onTestFinished, test } from 'vitest'

/** A server that sends back what it gets, a relay to it, and a way to connect. */
async function openEcho() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined) // cut on purpose
    socket.pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const relay = await openRelay((server.address() as AddressInfo).port)
  onTestFinished(async () => {
    await relay[Symbol.asyncDispose]()
    server.close()
  })
  async function open() {
    const socket = connect(relay.port, '127.0.0.1')
    const received: string[] = []
    let isClosed = false
    socket.on('data', (chunk) => received.push(chunk.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => (isClosed = true))
    await new Promise((resolve) => {
      socket.once('connect', resolve)
      socket.once('close', resolve)
    })
    onTestFinished(() => void socket.destroy())
    return { socket, text: () => received.join(''), isClosed: () => isClosed }
  }
  return { relay, open }
}

function write(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve) => socket.write(text, () => resolve()))
}

test('bytes pass in both directions', async () => {
  const { open } = await openEcho()
  const { socket, text } = await open()

  await write(socket, 'hello')

  await expect.poll(text).toBe('hello')
})

test('a relay that is cut ends connections and refuses others until it is resumed', async () => {
  const { relay, open } = await openEcho()
  const first = await open()
  await write(first.socket, 'hello')
  await expect.poll(first.text).toBe('hello')

  relay.cut()
  await expect.poll(first.isClosed).toBe(true)
  const second = await open()
  await expect.poll(second.isClosed).toBe(true)
  relay.resume()
  const third = await open()
  await write(third.socket, 'again')

  await expect.poll(third.text).toBe('again')
})

test('what a stalled relay holds back arrives later, in order', async () => {
  const { relay, open } = await openEcho()
  const { socket, text, isClosed } = await open()
  const other = await openEcho()
  const witness = await other.open()

  relay.stall()
  await write(socket, 'one ')
  await write(socket, 'two')
  await write(witness.socket, 'passed') // as much time as others need
  await expect.poll(witness.text).toBe('passed')
  expect([text(), isClosed()]).toEqual(['', false])
  relay.resume()

  await expect.poll(text).toBe('one two')
})

test('delayed pieces stay in order', async () => {
  const { relay, open } = await openEcho()
  const { socket, text } = await open()
  relay.delay(10)

  for (const piece of ['a', 'b', 'c', 'd']) await write(socket, piece)

  await expect.poll(text).toBe('abcd')
})
