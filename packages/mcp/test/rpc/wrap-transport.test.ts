import { expect, test } from 'vitest'

import {
  type MessageSink,
  type Transport,
  type TransportKind,
  OutgoingMessage,
  wrapTransport,
} from '../../src/rpc/transport.ts'
import { transportContract } from '../../src/testing/transport-contract.ts'
import { createTransportPair } from '../../src/transport/memory.ts'

for (const { name, run } of transportContract(async () => {
  const [left, right] = createTransportPair()
  return [wrapTransport(left, {}), wrapTransport(right, {})]
})) {
  test(`a wrapper that changes nothing ${name}`, run)
}

test('passes on every member of a transport that it does not change', async () => {
  const { transport, told } = createTold()
  const wrapped = wrapTransport(transport, {})
  const received: unknown[] = []

  wrapped.receive?.({
    message: (message) => void received.push(message),
    fail: (id) => void received.push(['fail', id]),
    end: (error) => void received.push(['end', error]),
  })
  void wrapped.send(new OutgoingMessage('out'))
  wrapped.flush?.()
  const kinds = [wrapped.kind]
  told.kind = 'sse'
  kinds.push(wrapped.kind)
  await wrapped[Symbol.asyncDispose]()

  expect(received).toEqual(['in', ['fail', 1], ['end', 'over']])
  expect(told.calls).toEqual(['send out', 'flush', 'close'])
  expect([wrapped.peer, ...kinds]).toEqual(['there', 'http', 'sse'])
})

test('replaces what it is given: part of the sink, sending and closing', async () => {
  const { transport, told } = createTold()
  const received: unknown[] = []
  const wrapped = wrapTransport(transport, {
    sink: (sink) => ({ message: (message) => sink.message([message]) }),
    send: () => void told.calls.push('own send'),
    close: async () => void told.calls.push('own close'),
  })

  wrapped.receive?.({
    message: (message) => void received.push(message),
    end: (error) => void received.push(['end', error]),
  })
  void wrapped.send(new OutgoingMessage('out'))
  await wrapped[Symbol.asyncDispose]()

  expect(received).toEqual([['in'], ['end', 'over']])
  expect(told.calls).toEqual(['own send', 'own close'])
})

/** Delivers one message, one failure and its end as soon as somebody receives. */
function createTold() {
  const told: { kind: TransportKind; calls: string[] } = { kind: 'http', calls: [] }
  const transport: Transport = {
    peer: 'there',
    get kind() {
      return told.kind
    },
    messages: (async function* () {})(),
    receive(sink: MessageSink) {
      void sink.message('in')
      sink.fail?.(1, new Error('no answer'))
      sink.end('over')
    },
    send: ({ text }) => void told.calls.push(`send ${text}`),
    flush: () => void told.calls.push('flush'),
    [Symbol.asyncDispose]: async () => void told.calls.push('close'),
  }
  return { transport, told }
}
