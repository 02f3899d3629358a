import { isMcpError, OutgoingMessage, RpcError, type Transport } from '@parley/mcp'
import {
  createTransportPair,
  createVirtualClock,
  type FaultRule,
  transportContract,
  withFaults,
} from '@parley/mcp/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'

const request = (id: number, method = 'tools/call') => ({ jsonrpc: '2.0', id, method })
const response = (id: number) => ({ jsonrpc: '2.0', id, result: {} })

function collect(transport: Transport) {
  const seen = { messages: [] as unknown[], ends: [] as unknown[] }
  transport.receive?.({
    message: (message) => void seen.messages.push(message),
    end: (error) => void seen.ends.push(error),
  })
  return seen
}

/** A faulty left end and a plain right end, both read, on a clock of their own. */
function open(rules: readonly FaultRule[], seed?: number) {
  const clock = createVirtualClock()
  const [inner, right] = createTransportPair()
  const left = withFaults(inner, { rules, clock, seed })
  return { clock, left, right, atLeft: collect(left), atRight: collect(right) }
}

describe('without rules', () => {
  const openPair = () => {
    const [left, right] = createTransportPair()
    return Promise.resolve([withFaults(left, { rules: [] }), right] as const)
  }
  for (const { name, run } of transportContract(openPair)) test(name, run)
})

describe('around a transport without receive', () => {
  const openPair = () => {
    const [left, right] = createTransportPair()
    const { receive: _, ...pulled } = left
    return Promise.resolve([right, withFaults(pulled, { rules: [] })] as const)
  }
  for (const { name, run } of transportContract(openPair)) test(name, run)
})

describe.each(['out', 'in'] as const)('going %s', (direction) => {
  /** Sends frames through the faulty end in this direction and gives what arrived and the clock. */
  async function pass(fault: FaultRule['fault'], frames: readonly object[], nth = 2) {
    const channel = open([{ when: { direction, nth }, fault }])
    const [from, seen] =
      direction === 'out' ? [channel.left, channel.atRight] : [channel.right, channel.atLeft]
    for (const frame of frames) void from.send(new OutgoingMessage(frame))
    await channel.clock.advance(0)
    return { ...channel, from, seen }
  }
  const frames = [request(1), request(2), request(3)]
  const idsOf = (messages: readonly unknown[]) =>
    messages.map((message) => (message as { id: number }).id) // only requests made above arrive

  test('drop loses the frame', async () => {
    const { seen } = await pass({ kind: 'drop' }, frames)

    expect(idsOf(seen.messages)).toEqual([1, 3])
  })

  test('duplicate delivers it twice', async () => {
    const { seen } = await pass({ kind: 'duplicate' }, frames)

    expect(idsOf(seen.messages)).toEqual([1, 2, 2, 3])
  })

  test('reorder lets the next one go first', async () => {
    const { seen } = await pass({ kind: 'reorder' }, frames)

    expect(idsOf(seen.messages)).toEqual([1, 3, 2])
  })

  test('reorder without a next one waits, until the channel ends', async () => {
    const { seen, from, clock } = await pass({ kind: 'reorder' }, frames.slice(0, 2))

    expect(idsOf(seen.messages)).toEqual([1])
    await from[Symbol.asyncDispose]()
    await clock.advance(0)
    expect(idsOf(seen.messages)).toEqual([1, 2])
    expect(seen.ends).toEqual([undefined])
  })

  test('delay holds it back for as long as told, while others overtake', async () => {
    const { seen, clock } = await pass({ kind: 'delay', ms: 100 }, frames)

    expect(idsOf(seen.messages)).toEqual([1, 3])
    await clock.advance(99)
    expect(idsOf(seen.messages)).toEqual([1, 3])
    await clock.advance(1)
    expect(idsOf(seen.messages)).toEqual([1, 3, 2])
  })

  test('delay loses what is late when the channel ends', async () => {
    const { seen, from, clock } = await pass({ kind: 'delay', ms: 100 }, frames)

    await from[Symbol.asyncDispose]()
    await clock.advance(1000)

    expect(idsOf(seen.messages)).toEqual([1, 3])
    expect(seen.ends).toEqual([undefined])
    expect(clock.pending).toBe(0)
  })

  test('truncate cuts it by bytes', async () => {
    const { seen } = await pass({ kind: 'truncate', bytes: 12 }, frames)

    expect(seen.messages).toEqual([request(1), '{"jsonrpc":"', request(3)])
  })

  test('replace puts the text in its place', async () => {
    const { seen } = await pass({ kind: 'replace', text: '{"not":"it"}' }, frames)

    expect(seen.messages).toEqual([request(1), '{"not":"it"}', request(3)])
  })

  test('close loses it and what follows, and ends both sides', async () => {
    const { left, atLeft, atRight, seen } = await pass({ kind: 'close' }, frames)

    expect(idsOf(seen.messages)).toEqual([1])
    expect([atLeft.ends, atRight.ends]).toEqual([[undefined], [undefined]])
    await expect(left.send(new OutgoingMessage(request(4)))).rejects.toSatisfy((error) =>
      isMcpError(error, 'closed'),
    )
  })
})

describe('rules', () => {
  const drop = { kind: 'drop' } as const

  test('tell directions apart', async () => {
    const { left, right, atLeft, atRight, clock } = open([
      { when: { direction: 'in' }, fault: drop },
    ])

    await left.send(new OutgoingMessage(request(1)))
    await right.send(new OutgoingMessage(response(1)))
    await clock.advance(0)

    expect([atLeft.messages.length, atRight.messages.length]).toEqual([0, 1])
  })

  test('count only the frames that fit', async () => {
    const { left, atRight, clock } = open([{ when: { method: 'tools/call', nth: 2 }, fault: drop }])
    const sent = [request(1), request(2, 'ping'), request(3), request(4)]

    for (const frame of sent) await left.send(new OutgoingMessage(frame))
    await clock.advance(0)

    expect(atRight.messages).toEqual([sent[0], sent[1], sent[3]])
  })

  test('count a frame also when an earlier rule decided it', async () => {
    const { left, atRight, clock } = open([
      { when: { nth: 1 }, fault: drop },
      { when: { nth: 2 }, fault: { kind: 'duplicate' } },
    ])

    for (const id of [1, 2, 3]) await left.send(new OutgoingMessage(request(id)))
    await clock.advance(0)

    expect(atRight.messages).toEqual([request(2), request(2), request(3)])
  })

  test('leave the decision to the first that fits', async () => {
    const { left, atRight, clock } = open([
      { when: { method: 'ping' }, fault: drop },
      { fault: { kind: 'duplicate' } },
    ])

    await left.send(new OutgoingMessage(request(1, 'ping')))
    await left.send(new OutgoingMessage(request(2)))
    await clock.advance(0)

    expect(atRight.messages).toEqual([request(2), request(2)])
  })

  test('find a response by the method of its request, when the direction is given', async () => {
    const { left, right, atLeft, clock } = open([
      { when: { direction: 'in', method: 'tools/call' }, fault: drop },
    ])
    await left.send(new OutgoingMessage(request(1, 'ping')))
    await left.send(new OutgoingMessage(JSON.stringify(request(2))))
    await right.send(new OutgoingMessage(request(2, 'sampling/createMessage')))

    for (const id of [1, 2]) await right.send(new OutgoingMessage(response(id)))
    await clock.advance(0)

    expect(atLeft.messages).toEqual([request(2, 'sampling/createMessage'), response(1)])
  })

  test('without a direction are about requests and notifications only', async () => {
    const { left, right, atLeft, atRight, clock } = open([
      { when: { method: 'tools/call' }, fault: { kind: 'duplicate' } },
    ])

    await left.send(new OutgoingMessage(request(1)))
    await right.send(new OutgoingMessage(response(1)))
    await clock.advance(0)

    expect([atRight.messages.length, atLeft.messages.length]).toEqual([2, 1])
  })

  test('meet frames that are not messages without failing', async () => {
    const { left, right, atLeft, atRight, clock } = open([
      { when: { method: 'tools/call' }, fault: drop },
      { when: { nth: 4 }, fault: { kind: 'truncate', bytes: 1 } },
    ])
    const tooLarge = new RpcError('limit_exceeded', 'too large', {
      data: { limit: 'messageBytes', allowed: 1 },
    })

    await left.send(new OutgoingMessage('not json'))
    await left.send(new OutgoingMessage('null'))
    await left.send(new OutgoingMessage([request(1)]))
    await right.send(new OutgoingMessage(tooLarge))
    await clock.advance(0)

    expect(atRight.messages).toEqual(['not json', 'null', [request(1)]])
    expect(atLeft.messages).toEqual([tooLarge])
  })

  test('with a probability hit about that share of frames, the same ones for the same seed', async () => {
    async function survivors(seed: number) {
      const { left, atRight, clock } = open([{ when: { probability: 0.3 }, fault: drop }], seed)
      for (let id = 0; id < 1000; id++) await left.send(new OutgoingMessage(request(id)))
      await clock.advance(0)
      return atRight.messages
    }

    const [first, again, other] = [await survivors(7), await survivors(7), await survivors(8)]

    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    expect(first.length).toBeGreaterThan(620)
    expect(first.length).toBeLessThan(780)
  })

  test('with probability 0 never hit, with 1 always', async () => {
    for (const [probability, arrived] of [
      [0, 50],
      [1, 0],
    ] as const) {
      const { left, atRight, clock } = open([{ when: { probability }, fault: drop }])
      for (let id = 0; id < 50; id++) await left.send(new OutgoingMessage(request(id)))
      await clock.advance(0)

      expect(atRight.messages).toHaveLength(arrived)
    }
  })
})

test('no mixture of reordering, delays and duplicates loses a frame', async () => {
  const kinds = fc.constantFrom<FaultRule['fault']>(
    { kind: 'reorder' },
    { kind: 'duplicate' },
    { kind: 'delay', ms: 10 },
  )
  const rule = fc.record({
    fault: kinds,
    when: fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }) }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 3 }), fc.nat(), async (rules, seed) => {
      const { left, atRight, clock } = open(rules, seed)

      for (let id = 0; id < 30; id++) await left.send(new OutgoingMessage(request(id)))
      await clock.advance(10)
      await left[Symbol.asyncDispose]()
      await clock.advance(0)

      const ids = new Set(atRight.messages.map((message) => (message as { id: number }).id)) // only requests were sent
      expect(ids.size).toBe(30)
      expect(atRight.ends).toEqual([undefined])
    }),
    { numRuns: tries(50) },
  )
})
