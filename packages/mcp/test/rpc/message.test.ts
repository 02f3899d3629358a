import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { RpcError } from '../../src/rpc/errors/rpc-error.ts'
import {
  decodeMessage,
  isRequestId,
  type Batch,
  type Malformed,
  type Message,
} from '../../src/rpc/message.ts'

/** What the peer would be told, and with which id. */
function rejection(decoded: Message | Malformed | Batch): object {
  if (decoded.kind !== 'malformed') throw new Error(`${decoded.kind} is not malformed`)
  const { id, isAnswerable, error } = decoded
  return { id, isAnswerable, code: error.code, message: error.message }
}

describe('a message', () => {
  test.each([
    [
      'a request with an id that is text',
      { jsonrpc: '2.0', id: '7', method: 'ping' },
      { kind: 'request', id: '7', method: 'ping', params: {} },
    ],
    [
      'a request with an id that is a number',
      { jsonrpc: '2.0', id: 0, method: 'x', params: { a: 1 } },
      { kind: 'request', id: 0, method: 'x', params: { a: 1 } },
    ],
    [
      'a notification',
      { jsonrpc: '2.0', method: 'note', params: {} },
      { kind: 'notification', method: 'note', params: {} },
    ],
    [
      'a result',
      { jsonrpc: '2.0', id: -1, result: { a: [] } },
      { kind: 'result', id: -1, result: { a: [] } },
    ],
    [
      'an error',
      { jsonrpc: '2.0', id: 'a', error: { code: 1, message: 'm', data: null } },
      { kind: 'error', id: 'a', error: { code: 1, message: 'm', data: null } },
    ],
    [
      'an error without an id [DEC-05, N11-BASE-02]',
      { jsonrpc: '2.0', error: { code: 1, message: 'm' } },
      { kind: 'error', error: { code: 1, message: 'm' } },
    ],
    [
      'an error with the id null [DEC-05]',
      { jsonrpc: '2.0', id: null, error: { code: 1, message: 'm' } },
      { kind: 'error', error: { code: 1, message: 'm' } },
    ],
    [
      'members nobody knows [BASE-23]',
      { jsonrpc: '2.0', id: 1, method: 'x', extra: true },
      { kind: 'request', id: 1, method: 'x', params: {} },
    ],
  ])('is %s', (_, wire, expected) => {
    expect(decodeMessage(wire)).toEqual(expected)
    expect(decodeMessage(JSON.stringify(wire))).toEqual(expected)
  })

  test.each<readonly [string, object, number | undefined, boolean, string]>([
    [
      'a wrong version [BASE-04]',
      { jsonrpc: '1.0', id: 1, method: 'x' },
      1,
      true,
      'jsonrpc must be "2.0"',
    ],
    ['no version [BASE-04]', { id: 1, method: 'x' }, 1, true, 'jsonrpc must be "2.0"'],
    [
      'a result with no version [BASE-04]',
      { id: 1, result: {} },
      1,
      false,
      'jsonrpc must be "2.0"',
    ],
    [
      'an error with a wrong version [BASE-04]',
      { jsonrpc: '1.0', id: 1, error: { code: 1, message: 'x' } },
      1,
      false,
      'jsonrpc must be "2.0"',
    ],
    [
      'a wrong version on a notification [BASE-15]',
      { jsonrpc: '1.0', method: 'x' },
      undefined,
      false,
      'jsonrpc must be "2.0"',
    ],
    ...[null, 1.5, true, {}, [], 2 ** 53].map(
      (id) =>
        [
          `the id ${JSON.stringify(id)} [BASE-05] [BASE-06]`,
          { jsonrpc: '2.0', id, method: 'x' },
          undefined,
          true,
          'id must be a string or an integer',
        ] as const,
    ),
    [
      'params in an array [BASE-16]',
      { jsonrpc: '2.0', id: 1, method: 'x', params: [] },
      1,
      true,
      'params must be an object',
    ],
    [
      'params as text on a notification [BASE-15]',
      { jsonrpc: '2.0', method: 'x', params: 'a' },
      undefined,
      false,
      'params must be an object',
    ],
    [
      'a method that is no text',
      { jsonrpc: '2.0', id: 1, method: 5 },
      1,
      true,
      'method must be a string',
    ],
    [
      'result and error together [BASE-10, N11-BASE-01]',
      { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'm' } },
      1,
      false,
      'both result and error',
    ],
    [
      'neither of them [N11-BASE-01]',
      { jsonrpc: '2.0', id: 1 },
      1,
      true,
      'neither method, result nor error',
    ],
    [
      'a result that is no object [BASE-11]',
      { jsonrpc: '2.0', id: 1, result: null },
      1,
      false,
      'result must be an object',
    ],
    [
      'a result without an id',
      { jsonrpc: '2.0', result: {} },
      undefined,
      false,
      'a result without a usable id',
    ],
    [
      'an error without a message [BASE-12]',
      { jsonrpc: '2.0', id: 1, error: { code: 1 } },
      1,
      false,
      'error must have an integer code and a message',
    ],
    [
      'an error with a fraction as code [BASE-13]',
      { jsonrpc: '2.0', id: 1, error: { code: 1.5, message: 'm' } },
      1,
      false,
      'error must have an integer code and a message',
    ],
  ])('is not one with %s', (_, wire, id, isAnswerable, message) => {
    const expected = { id, isAnswerable, code: 'invalid_request', message }

    expect(rejection(decodeMessage(wire))).toEqual(expected)
    expect(rejection(decodeMessage(JSON.stringify(wire)))).toEqual(expected)
  })

  test('is not one if it is no JSON, and the excerpt is short', () => {
    const decoded = rejection(decodeMessage('x'.repeat(500)))

    expect(decoded).toEqual({
      id: undefined,
      isAnswerable: true,
      code: 'parse_error',
      message: `not JSON: ${'x'.repeat(80)}…`,
    })
  })

  test('is answered for what a transport could not take', () => {
    const error = new RpcError('limit_exceeded', 'too long', {
      data: { limit: 'messageBytes', allowed: 1 },
    })

    expect(decodeMessage(error)).toEqual({ kind: 'malformed', isAnswerable: true, error })
  })
})

describe('a message over a limit', () => {
  const limits = { depth: 8, members: 8 }
  const deep = JSON.parse('['.repeat(20) + ']'.repeat(20)) as unknown

  test('is refused with its id', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'x', params: { deep } })

    expect(decodeMessage(text, limits)).toMatchObject({ id: 4, isAnswerable: true })
  })

  test('is not answered if it is a notification [BASE-15]', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { deep } })

    expect(decodeMessage(text, limits)).toMatchObject({ kind: 'malformed', isAnswerable: false })
  })

  test('is not answered if it is a response, but says whose', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 4, result: { deep } })

    expect(decodeMessage(text, limits)).toMatchObject({ id: 4, isAnswerable: false })
  })

  test('is answered without an id if it is an array', () => {
    const decoded = decodeMessage(JSON.stringify([deep]), limits)

    expect(decoded).toMatchObject({ kind: 'malformed', isAnswerable: true })
    expect(decoded).not.toHaveProperty('id')
  })
})

const id = fc.oneof(fc.string(), fc.maxSafeInteger())
const object = fc.dictionary(fc.string(), fc.jsonValue())
const error = fc.record(
  { code: fc.integer(), message: fc.string(), data: fc.jsonValue() },
  { requiredKeys: ['code', 'message'] },
)
const wireMessage = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id, method: fc.string(), params: object }),
  fc.record({ jsonrpc: fc.constant('2.0'), method: fc.string(), params: object }),
  fc.record({ jsonrpc: fc.constant('2.0'), id, result: object }),
  fc.record({ jsonrpc: fc.constant('2.0'), id, error }),
)

test('any legal message decodes to itself with a tag [BASE-03]', () => {
  fc.assert(
    fc.property(wireMessage, (wire) => {
      const decoded = decodeMessage(JSON.stringify(wire))

      if (decoded.kind === 'batch') throw new Error('no batch was sent')
      const { kind, ...rest } = decoded
      expect(kind).not.toBe('malformed')
      expect({ jsonrpc: '2.0', ...rest }).toEqual(JSON.parse(JSON.stringify(wire)))
    }),
  )
})

test('any array decodes to as many members [R0326-05]', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(wireMessage, fc.jsonValue())), (members) => {
      const decoded = decodeMessage(JSON.stringify(members))

      expect(decoded).toMatchObject({ kind: 'batch' })
      expect((decoded as Batch).members).toHaveLength(members.length)
    }),
  )
})

test('any text decodes to something, and never throws', () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: value })),
  )
  fc.assert(
    fc.property(text, (raw) => {
      const decoded = decodeMessage(raw)

      if (decoded.kind === 'malformed' && decoded.id !== undefined) {
        expect(isRequestId(decoded.id)).toBe(true)
      }
      expect(['request', 'notification', 'result', 'error', 'malformed', 'batch']).toContain(
        decoded.kind,
      )
    }),
  )
})
