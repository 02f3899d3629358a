import { OutgoingMessage } from '@parley/mcp'
import { transportContract } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { openHttpPair } from './far-end.ts'

/** A stream that ends is not the end: the newer way opens another, and for the older one it is a lost connection. */
const afterTheStream = new Set([
  'delivers each message to one reader, once',
  'ends the other side when one side closes',
  'delivers what was sent before closing, then ends',
  'delivers what was sent before closing to one who reads later',
  'closes once, however often it is asked to',
  'calls end exactly once, after the last message',
  'reads nothing twice after the end',
])

/** Messages are POSTs of their own, which may overtake each other: these promise nothing of order. */
const withoutOrder = new Set([
  'never delivers from within send',
  'ends the other side when one side closes',
  'closes once, however often it is asked to',
  'rejects a message sent after closing, and does not throw',
  'lets both sides close at once',
])

describe.each(['http', 'sse'] as const)('our client over %s', (type) => {
  describe('receives as the contract of a transport says, and', () => {
    const cases = transportContract(async () => {
      const { client, far } = await openHttpPair(type)
      return [far, client]
    })
    const kept = cases.filter(
      ({ name }) => !afterTheStream.has(name) && !name.includes('both directions'),
    )
    expect(kept).toHaveLength(cases.length - afterTheStream.size - 1)
    for (const { name, run } of kept) test(name, run)
  })

  describe('sends and closes as the contract of a transport says, and', () => {
    const cases = transportContract(async () => {
      const { client, far } = await openHttpPair(type)
      return [client, far]
    })
    const kept = cases.filter(({ name }) => withoutOrder.has(name))
    expect(kept).toHaveLength(withoutOrder.size)
    for (const { name, run } of kept) test(name, run)
  })

  test('delivers what it was given before closing, in whatever order', async () => {
    const { client, far } = await openHttpPair(type)
    const sent = Array.from({ length: 100 }, (_, number) => number)
    for (const number of sent) {
      void client.send(
        new OutgoingMessage({ jsonrpc: '2.0', method: 'notifications/x', params: { number } }),
      )
    }

    await client[Symbol.asyncDispose]()

    const received: number[] = []
    for await (const message of far.messages) {
      if (typeof message !== 'string') throw new Error('no text')
      const { params } = JSON.parse(message) as { params: { number: number } }
      received.push(params.number)
    }
    expect(received.toSorted((a, b) => a - b)).toEqual(sent)
    await far[Symbol.asyncDispose]()
  })
})
