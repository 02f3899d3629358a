import { isMcpError, OutgoingMessage, type RawMessage } from '@parley/mcp'
import { createTransportPair, transportContract } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

describe.each([
  ['objects', { text: false }],
  ['text', { text: true }],
  ['objects, one at a time', { capacity: 1 }],
])('the memory transport with %s', (_, options) => {
  for (const { name, run } of transportContract(() =>
    Promise.resolve(createTransportPair(options)),
  )) {
    test(name, run)
  }
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

function collect() {
  const received: unknown[] = []
  return { received, message: (message: unknown) => void received.push(message), end: () => {} }
}

test('passes objects on as they are, without a copy', async () => {
  const [left, right] = createTransportPair()
  const sink = collect()
  right.receive?.(sink)

  const drained = left.send(new OutgoingMessage(ping))
  await Promise.resolve()

  expect(drained).toBeUndefined()
  expect(sink.received[0]).toBe(ping)
})

test('delivers all that was sent in one turn in one microtask', async () => {
  const [left, right] = createTransportPair()
  const sink = collect()
  right.receive?.(sink)

  for (let count = 0; count < 100; count++) void left.send(new OutgoingMessage(ping))
  await Promise.resolve()

  expect(sink.received).toHaveLength(100)
})

test('as text, shows what JSON loses and refuses what JSON cannot say', async () => {
  const [left, right] = createTransportPair({ text: true })
  const sink = collect()
  right.receive?.(sink)

  await left.send(new OutgoingMessage({ ...ping, params: { at: new Date(0), nothing: undefined } }))

  expect(() => left.send(new OutgoingMessage({ ...ping, params: { big: 1n } }))).toThrow(TypeError)
  expect(sink.received).toEqual([
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"at":"1970-01-01T00:00:00.000Z"}}',
  ])
})

test('asks for patience above its capacity, and resolves when there is room', async () => {
  const [left, right] = createTransportPair({ capacity: 2 })
  const resume: (() => void)[] = []
  const received: RawMessage[] = []
  const rooms = [1, 2, 3, 4].map((id) => left.send(new OutgoingMessage({ ...ping, id })))

  expect(rooms.map((drained) => drained instanceof Promise)).toEqual([false, false, true, true])
  let hasCapacity = false
  const waiting = rooms[3]?.then(() => void (hasCapacity = true))
  right.receive?.({
    message(message) {
      received.push(message)
      return new Promise((resolve) => resume.push(resolve))
    },
    end() {},
  })
  for (const expected of [false, false, true]) {
    await new Promise((resolve) => setTimeout(resolve))
    expect(hasCapacity).toBe(expected)
    resume.shift()?.()
  }

  await waiting
  expect(received.length).toBeGreaterThanOrEqual(3)
})

test('lets a sender go on when the one it waits for has gone', async () => {
  const [left, right] = createTransportPair({ capacity: 1 })
  void left.send(new OutgoingMessage(ping))
  const drained = left.send(new OutgoingMessage(ping))

  await right[Symbol.asyncDispose]()

  await drained
  const rejected = left.send(new OutgoingMessage(ping))
  await expect(rejected).rejects.toSatisfy((error) => isMcpError(error, 'closed'))
})

test('can be received once', () => {
  const [left] = createTransportPair()
  left.receive?.(collect())

  expect(() => left.receive?.(collect())).toThrow('already being received')
})

test('says what it is', () => {
  expect(createTransportPair().map(({ kind }) => kind)).toEqual(['memory', 'memory'])
})
