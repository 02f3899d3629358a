import { describe, expect, test } from 'vitest'

import { openConnection, type ConnectionOptions } from '../../src/rpc/connection.ts'
import { McpError } from '../../src/rpc/errors/mcp-error.ts'
import { defaultLimits } from '../../src/rpc/limits.ts'
import { createReceiver, type ReceiverOptions } from '../../src/rpc/receiver.ts'
import type { MessageSink, RawMessage, Transport } from '../../src/rpc/transport.ts'
import type { JsonObject } from '../../src/schema/json.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { decodeWireError, encodeWireError } from '../../src/wire/error-codes.ts'

/** A transport in the hands of the test. */
function open({
  onRequest,
  onNotification,
  ...options
}: Partial<ConnectionOptions & ReceiverOptions> = {}) {
  const sent: RawMessage[] = []
  const errors: unknown[] = []
  const ends: unknown[] = []
  const clock = createVirtualClock()
  let sink: MessageSink | undefined
  const hand = {
    respond: undefined as Promise<void> | undefined,
    disposals: 0,
  }
  const transport: Transport = {
    messages: (async function* () {})(),
    receive: (given) => (sink = given),
    send({ text, raw }) {
      void text // throws for what has no JSON, as every transport does
      sent.push(raw)
      return hand.respond
    },
    async [Symbol.asyncDispose]() {
      hand.disposals += 1
    },
  }
  const connection = openConnection({
    transport,
    clock,
    limits: defaultLimits,
    maxPendingResponses: 0,
    receiver: (own) =>
      createReceiver(own, {
        onRequest:
          onRequest ?? (({ id }) => void own.reply(id, { jsonrpc: '2.0', id, result: {} })),
        onNotification: onNotification ?? (() => undefined),
        hasBatches: () => true,
        encodeError: encodeWireError,
      }),
    onEnd: (error) => ends.push(error),
    onError: (error) => errors.push(error),
    decodeError: decodeWireError,
    ...options,
  })
  const deliver = (message: RawMessage) => sink?.message(message)
  return {
    connection,
    clock,
    sent,
    errors,
    ends,
    hand,
    deliver,
    end: (error?: unknown) => sink?.end(error),
  }
}

function createDrain() {
  let make = (): void => undefined
  const promise = new Promise<void>((resolve) => (make = resolve))
  return { promise, make }
}

const ask = { idleMs: 1_000, totalMs: 1_000 }
const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'work' })

describe('back-pressure', () => {
  test('stops reading while the peer does not read, and goes on when it does', async () => {
    const { connection, deliver, hand } = open()
    const drained = createDrain()
    hand.respond = drained.promise

    const held = deliver(request(1))
    expect(held).toBeInstanceOf(Promise)
    expect(connection.drained()).toBe(held)

    hand.respond = undefined
    drained.make()
    await held

    expect(connection.drained()).toBeUndefined()
    expect(deliver(request(2))).toBeUndefined()
  })

  test('waits for the newest promise if there are several', async () => {
    const { connection, deliver, hand } = open()
    const [first, second] = [createDrain(), createDrain()]
    hand.respond = first.promise
    void deliver(request(1))
    hand.respond = second.promise
    const held = deliver(request(2))

    first.make()
    await first.promise
    await Promise.resolve()
    expect(connection.drained()).toBe(held)

    second.make()
    await held
    expect(connection.drained()).toBeUndefined()
  })

  test('keeps reading on a side that may have answers ahead, up to that number', async () => {
    const { deliver, hand } = open({ maxPendingResponses: 3 })
    const drained = createDrain()
    hand.respond = drained.promise

    expect(deliver(request(1))).toBeUndefined()
    for (const id of [2, 3]) expect(deliver(request(id))).toBeUndefined()
    expect(deliver({ jsonrpc: '2.0', id: 9, result: {} })).toBeUndefined()
    const held = deliver(request(4))

    expect(held).toBeInstanceOf(Promise)
    hand.respond = undefined
    drained.make()
    await held
    hand.respond = createDrain().promise
    for (const id of [5, 6, 7]) expect(deliver(request(id))).toBeUndefined()
    expect(deliver(request(8))).toBeInstanceOf(Promise)
  })

  test('survives a send that rejects: the end comes through the sink', async () => {
    const { connection, deliver, hand, ends } = open()
    hand.respond = Promise.reject(new Error('broken pipe'))
    hand.respond.catch(() => undefined)

    await deliver(request(1))

    expect(connection.drained()).toBeUndefined()
    expect(ends).toEqual([])
  })
})

describe('what handlers throw', () => {
  test.each([
    ['onRequest', request(1)],
    ['onNotification', { jsonrpc: '2.0', method: 'note' }],
  ])('from %s is reported and goes no further', (handler, message) => {
    const fault = new Error('ours')
    const { deliver, errors } = open({
      [handler]: () => {
        throw fault
      },
    })

    expect(deliver(message)).toBeUndefined()

    expect(errors).toEqual([fault])
  })

  test('from onMessage is reported and changes nothing', async () => {
    const { deliver, sent, errors } = open({
      onMessage: () => {
        throw new Error('a broken trace')
      },
    })

    void deliver(request(1))

    expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    expect(errors).toHaveLength(2)
  })

  test('from onEnd is reported', () => {
    const fault = new Error('ours')
    const { end, errors } = open({
      onEnd: () => {
        throw fault
      },
    })

    end()

    expect(errors).toEqual([fault])
  })

  test('from onProgress is reported, and the call goes on', async () => {
    const { connection, deliver, errors, sent } = open()
    const fault = new Error('ours')
    const calling = connection.request('work', undefined, {
      ...ask,
      onProgress: () => {
        throw fault
      },
    })
    const { id } = sent[0] as { id: number }

    void deliver({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: id, progress: 1 },
    })
    void deliver({ jsonrpc: '2.0', id, result: { done: true } })

    await expect(calling).resolves.toEqual({ done: true })
    expect(errors).toEqual([fault])
  })
})

describe('what cannot be written', () => {
  test('is answered as a fault of ours', () => {
    const { connection, sent, errors } = open()
    const cyclic: { self?: object } = {}
    cyclic.self = cyclic

    connection.reply(1, { jsonrpc: '2.0', id: 1, result: cyclic })

    const error = { code: -32603, message: 'the result cannot be written as JSON' }
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, error }])
    expect(errors).toEqual([expect.any(TypeError)])
  })

  test('is answered as a fault of ours inside a batch too', async () => {
    const { connection, deliver, sent } = open({ onRequest: () => undefined })
    await deliver([request(1), request(2)])

    connection.reply(1, { jsonrpc: '2.0', id: 1, result: { big: 1n } })
    connection.reply(2, { jsonrpc: '2.0', id: 2, result: {} })

    const error = { code: -32603, message: 'the result cannot be written as JSON' }
    expect(sent.map((text) => JSON.parse(text as string) as unknown)).toEqual([
      [
        { jsonrpc: '2.0', id: 1, error },
        { jsonrpc: '2.0', id: 2, result: {} },
      ],
    ])
  })

  test('rejects the request it was', async () => {
    const { connection } = open()
    const params = { big: 1n } as unknown as JsonObject // what untyped code may pass

    await expect(connection.request('work', params, ask)).rejects.toThrow(TypeError)
  })
})

describe('the end of the channel', () => {
  test('rejects what waits, and says that it was sent [LIFE-14]', async () => {
    const { connection, end, ends } = open()
    const calling = connection.request('work', undefined, ask)
    const cause = new Error('reset')

    end(cause)

    await expect(calling).rejects.toMatchObject({
      code: 'connection_lost',
      details: { sent: true },
      cause,
    })
    expect(ends).toEqual([cause])
  })

  test('rejects what comes later, and says that it was not sent', async () => {
    const { connection, end, sent } = open()
    end()

    await expect(connection.request('work', undefined, ask)).rejects.toMatchObject({
      code: 'connection_lost',
      details: { sent: false },
    })
    connection.notify('note')

    expect(sent).toEqual([])
  })

  test('is told once, with the reason it was closed for', async () => {
    const { connection, clock, ends, end, hand } = open()
    const reason = new McpError('closed', 'enough', { details: undefined })
    const calling = connection.request('work', undefined, ask)

    await Promise.all([connection.close(reason), connection.close(new Error('again'))])
    end(new Error('late'))

    await expect(calling).rejects.toBe(reason)
    expect(ends).toEqual([reason])
    expect(hand.disposals).toBe(1)
    expect(clock.pending).toBe(0)
  })

  test('comes at once when it is given up, before what waits is told', async () => {
    const { connection, ends, hand, sent } = open()
    const reason = new McpError('connection_lost', 'silence', { details: { sent: true } })
    const calling = connection.request('work', undefined, ask)
    const endsThen = calling.catch(() => [...ends])

    connection.fail(reason)
    connection.notify('too late')

    expect(await endsThen).toEqual([reason])
    await connection.close(undefined)
    expect(hand.disposals).toBe(1)
    expect(sent).toHaveLength(1)
  })
})
