import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

import { OutgoingMessage } from '@parley/mcp'
import { createStdioTransport } from '@parley/mcp/stdio'
import { expect, test } from 'vitest'

import { encodeLines, giveBack, lendsTo } from '../../src/transport/stdio/line-writer.ts'

async function openSockets() {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo // it listens on an address
  const near = connect(port, '127.0.0.1')
  const [far] = (await once(listener, 'connection')) as [Socket]
  listener.close()
  return { near, far }
}

const fill = (letter: string, length: number) => ({ letter, text: letter.repeat(length) })

test('large messages on several streams at once, one of them slow, arrive whole and in order', async () => {
  const pairs = await Promise.all([openSockets(), openSockets(), openSockets()])
  const [slow] = pairs
  slow.far.pause()
  const turns = 'a ü 漢 b c d e f g h i j'.split(' ') // enough that the slow one cannot take them all
  const sent = pairs.map((_, index) =>
    turns.map((letter) => fill(letter, index === 0 ? 1_300_000 : 60_000 + index)),
  )

  const transports = pairs.map(({ near }) => createStdioTransport({ input: near, output: near }))
  for (const turn of turns.keys()) {
    for (const [index, transport] of transports.entries()) {
      void transport.send(new OutgoingMessage(sent[index]![turn]!)) // there is one of each
    }
    await new Promise(setImmediate)
  }
  const received = pairs.map(({ far }) => text(far))
  slow.far.resume()
  await Promise.all(transports.map((transport) => transport[Symbol.asyncDispose]()))

  for (const [index, all] of (await Promise.all(received)).entries()) {
    const lines = all.trimEnd().split('\n')
    expect(lines).toHaveLength(turns.length)
    for (const [turn, line] of lines.entries()) {
      expect(line === JSON.stringify(sent[index]?.[turn])).toBe(true)
    }
  }
})

test('memory that is lent is not lent again before it is given back', () => {
  expect(encodeLines(['one', 'ü'], 6)?.toString()).toBe('one\nü\n')
  expect(encodeLines(['two'], 4)).toBe(undefined)
  giveBack()
  expect(encodeLines(['two'], 4)?.toString()).toBe('two\n')
  giveBack()
})

test('a message of more than the memory is written all the same', async () => {
  const { near, far } = await openSockets()
  const transport = createStdioTransport({ input: near, output: near })
  const received = text(far)
  const message = fill('ü', 3_000_000)
  void transport.send(new OutgoingMessage(message))
  await transport[Symbol.asyncDispose]()

  expect(JSON.parse(await received)).toEqual(message)
})

test('what may keep the bytes it is given, or is not as Node made it, gets a text', async () => {
  const { near, far } = await openSockets()
  expect(lendsTo(near)).toBe(true)
  expect(lendsTo(new PassThrough())).toBe(false)
  near.write = near.write.bind(near)
  expect(lendsTo(near)).toBe(false)
  near.destroy()
  far.destroy()

  const output = new PassThrough({ highWaterMark: 1_000_000 })
  const transport = createStdioTransport({ input: new PassThrough(), output })
  const messages = ['a', 'b'].map((letter) => fill(letter, 30_000))
  for (const message of messages) {
    void transport.send(new OutgoingMessage(message))
    await new Promise(setImmediate)
  }
  output.end()
  const lines = (await text(output)).trimEnd().split('\n')
  expect(lines.map((line, index) => line === JSON.stringify(messages[index]))).toEqual([true, true])
})
