import { type MessageSink, OutgoingMessage, type Transport } from '@parley/mcp'
import { createTransportPair, transportContract, withFaults } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

/** Runs one case of the contract on a channel whose first end is broken in some way, and whose second is if told so. */
function check(name: string, breakLeft: Break, breakRight: Break = (transport) => transport) {
  const cases = transportContract(() => {
    const [left, right] = createTransportPair({ text: true })
    return Promise.resolve([breakLeft(left), breakRight(right)])
  })
  const found = cases.find((each) => each.name === name)
  if (!found) throw new Error(`the contract has no case "${name}"`)
  return found.run()
}
type Break = (transport: Transport) => Transport

const inOrder = 'delivers many small messages in the order they were sent'
const beforeClosing = 'delivers what was sent before closing, then ends'

test('has one name per case', () => {
  const names = transportContract(() => Promise.resolve(createTransportPair())).map(
    ({ name }) => name,
  )

  expect(new Set(names).size).toBe(names.length)
})

test.each([
  ['drop', beforeClosing],
  ['duplicate', inOrder],
  ['reorder', inOrder],
] as const)('notices a message that is lost, doubled or out of order: %s', async (kind, name) => {
  const rules = [{ when: { direction: 'out', nth: 2 }, fault: { kind } }] as const

  await expect(check(name, (transport) => withFaults(transport, { rules }))).rejects.toThrow(
    'messages: expected',
  )
})

test('notices a transport that cuts messages at line breaks', async () => {
  const cutting: Break = (transport) => ({
    ...transport,
    send({ text }) {
      for (const line of text.split('\n'))
        void transport.send(new OutgoingMessage(JSON.stringify(line)))
    },
  })

  await expect(check('keeps a message with line breaks one message', cutting)).rejects.toThrow(
    'messages: expected',
  )
})

test('notices a transport that loses characters', async () => {
  const narrow: Break = (transport) => ({
    ...transport,
    send: ({ raw }) =>
      transport.send(
        new OutgoingMessage(Buffer.from(JSON.stringify(raw), 'latin1').toString('latin1')),
      ),
  })

  await expect(check('keeps every character of a message', narrow)).rejects.toThrow('messages')
  await expect(
    check('carries a message of 1 MiB', (transport) => transport),
  ).resolves.toBeUndefined()
})

test('notices a transport that takes everything, ready or not', async () => {
  const greedy: Break = (transport) => ({
    ...transport,
    send: (message) => void transport.send(message),
  })
  const [waits, rejects] = [
    'asks a sender to wait when nobody reads, and lets it go on when somebody does',
    'rejects a message sent after closing, and does not throw',
  ]

  await expect(check(waits, greedy)).rejects.toThrow('although nobody reads')
  await expect(check(rejects, greedy)).rejects.toThrow('as if the message had been sent')
})

test('notices a transport that delivers from within send', async () => {
  let deliver: MessageSink | undefined
  const eager: Break = (transport) => ({
    ...transport,
    send: ({ raw }) => void deliver?.message(raw),
  })
  const pushed: Break = (transport) => ({
    ...transport,
    receive(sink) {
      deliver = sink
    },
  })

  await expect(check('never delivers from within send', eager, pushed)).rejects.toThrow(
    'while send was running',
  )
})

test('notices a transport that forgets what was sent when it closes', async () => {
  const hasty: Break = (transport) => {
    const waiting: OutgoingMessage[] = []
    return {
      ...transport,
      send: (message) => void waiting.push(message),
    }
  }

  await expect(check(beforeClosing, hasty)).rejects.toThrow('messages: expected')
})

test('notices a transport that ends twice or does not wait for its receiver', async () => {
  const careless: Break = (transport) => ({
    ...transport,
    receive(sink) {
      transport.receive?.({
        message: (message) => void sink.message(message),
        end(error) {
          sink.end(error)
          sink.end(error)
        },
      })
    },
  })
  const whole: Break = (transport) => transport
  const [once, busy] = [
    'calls end exactly once, after the last message',
    'delivers nothing while a receiver is busy',
  ]

  await expect(check(once, whole, careless)).rejects.toThrow('calls of end')
  await expect(check(busy, whole, careless)).rejects.toThrow('messages handled at once')
})
