import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createBatchReplies, expectedOf } from '../../src/rpc/batches.ts'
import { RpcError } from '../../src/rpc/errors/rpc-error.ts'
import type { Batch, RequestId } from '../../src/rpc/message.ts'

function open() {
  const sent: unknown[] = []
  const batches = createBatchReplies((message) => {
    sent.push(JSON.parse(message as string)) // a batch is written as text
  })

  /** A batch with these requests comes in. */
  function receive(ids: readonly RequestId[], others: Batch['members'] = []): void {
    const requests = ids.map((id) => ({ kind: 'request', id, method: 'ping', params: {} }) as const)
    const members = [...requests, ...others]
    const expected = expectedOf(members, ({ message }) => ({ code: -32600, message }))
    batches.open(expected.ids, expected.rejections)
  }
  return { sent, batches, receive }
}

describe('the answers to a batch', () => {
  test('go out together when the last is in [R0326-05]', () => {
    const { sent, batches, receive } = open()
    const error = new RpcError('invalid_request', 'no method')
    receive([1, '2'], [{ kind: 'malformed', id: 3, isAnswerable: true, error }])

    expect(batches.add('2', '{"two":2}')).toBe(true)
    expect(sent).toEqual([])
    expect(batches.add(1, { one: 1 })).toBe(true)

    const rejection = { jsonrpc: '2.0', id: 3, error: { code: -32600, message: 'no method' } }
    expect(sent).toEqual([[rejection, { two: 2 }, { one: 1 }]])
  })

  test('do not take the answer of another request', () => {
    const { sent, batches, receive } = open()
    receive([1])

    expect(batches.add('1', {})).toBe(false)
    expect(sent).toEqual([])
  })

  test('do not wait for a request that was cancelled', () => {
    const { sent, batches, receive } = open()
    receive([1, 2])
    batches.add(1, { one: 1 })

    batches.drop(2)

    expect(sent).toEqual([[{ one: 1 }]])
  })

  test('are nothing if every request was cancelled, or there was none', () => {
    const { sent, batches, receive } = open()
    receive([1])
    batches.drop(1)
    receive([], [{ kind: 'notification', method: 'notifications/initialized', params: {} }])

    expect(sent).toEqual([])
  })

  test('wait once for an id that is in the batch twice', () => {
    const { sent, batches, receive } = open()
    receive([1, 1])

    batches.add(1, { one: 1 })

    expect(sent).toEqual([[{ one: 1 }]])
  })

  test('leave an id to the earlier batch that waits for it', () => {
    const { sent, batches, receive } = open()
    receive([1, 2])
    receive([2, 3])

    batches.add(3, { three: 3 })
    batches.add(2, { two: 2 })
    batches.add(1, { one: 1 })

    expect(sent).toEqual([[{ three: 3 }], [{ two: 2 }, { one: 1 }]])
  })

  test('stay open for another answer if one has no JSON', () => {
    const { sent, batches, receive } = open()
    receive([1])

    expect(() => batches.add(1, { big: 1n })).toThrow(TypeError)
    batches.add(1, { one: 1 })

    expect(sent).toEqual([[{ one: 1 }]])
  })

  test('hold each answer exactly once, in whatever order they come', () => {
    const order = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 1 }).chain((ids) =>
      fc.record({
        ids: fc.constant(ids),
        order: fc.shuffledSubarray(ids, { minLength: ids.length }),
        dropped: fc.subarray(ids),
      }),
    )
    fc.assert(
      fc.property(order, ({ ids, order: answered, dropped }) => {
        const { sent, batches, receive } = open()
        receive(ids)

        for (const id of answered) {
          if (dropped.includes(id)) batches.drop(id)
          else batches.add(id, { id })
        }

        const kept = answered.filter((id) => !dropped.includes(id)).map((id) => ({ id }))
        expect(sent).toEqual(kept.length === 0 ? [] : [kept])
      }),
    )
  })
})
