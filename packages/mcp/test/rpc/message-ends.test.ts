import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { RpcError } from '../../src/rpc/errors/rpc-error.ts'
import { messageByEnds } from '../../src/rpc/json/json-limits.ts'
import { decodeMessage, type Malformed } from '../../src/rpc/message.ts'

const long = { text: 'x'.repeat(3_000), id: 99, list: [{ id: 98 }] }

/** What the ends of a text tell: whom to answer, or which call it answered. */
function told(text: string, bytes = 1024): Malformed {
  const line = Buffer.from(text)
  const cause = messageByEnds(line.toString('utf8', 0, bytes), line.subarray(-bytes).toString())
  return decodeMessage(new RpcError('limit_exceeded', 'too long', { cause })) as Malformed // an error is never a message
}

describe('the ends of a message that is too long', () => {
  test.each([
    ['first', { jsonrpc: '2.0', id: 7, method: 'work', params: long }],
    ['last', { method: 'work', params: long, jsonrpc: '2.0', id: 7 }],
    ['before the rest', { id: 'a "quoted\\" one', jsonrpc: '2.0', params: long, method: 'work' }],
    ['with spaces', ` { "id" : 7 , "method" : "work" , "params" : {"a":"${'x'.repeat(2_000)}"} } `],
  ])('tell the id of a request that has it %s [BASE-06]', (_, message) => {
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    const { id } = JSON.parse(text) as { id: string | number }

    expect(told(text)).toMatchObject({ id, isAnswerable: true })
  })

  test.each([
    ['first', { jsonrpc: '2.0', id: 7, result: long }],
    ['last', { result: long, jsonrpc: '2.0', id: 7 }],
    ['of an error', { jsonrpc: '2.0', id: 7, error: { code: 1, message: long.text } }],
  ])('tell which call a response answers, with its id %s', (_, message) => {
    expect(told(JSON.stringify(message))).toMatchObject({ id: 7, isAnswerable: false })
  })

  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'note', params: long }],
    ['an id in the middle', { a: long, id: 7, method: 'work', b: long }],
    ['an id that is too long itself', { jsonrpc: '2.0', id: long.text, method: 'work' }],
    ['an id that is none', { jsonrpc: '2.0', id: null, method: 'work', params: long }],
    ['a batch', [{ jsonrpc: '2.0', id: 7, method: 'work', params: long }]],
    ['a name nobody knows', { jsonrpc: '2.0', id: 7, 'x-y': long, method: long.text }],
    ['no message', 'x'.repeat(3_000)],
  ])('tell nothing of %s', (_, message) => {
    expect(told(JSON.stringify(message))).not.toHaveProperty('id')
  })

  test('never tell another id than the message has, nor take a request for a response', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ',', ':', 'id', '7', ' ') })
    const leaf = fc.oneof(text, fc.integer(), fc.constant(null))
    const nested = fc.dictionary(fc.constantFrom('id', 'a', 'x-y'), leaf)
    const extra = fc.dictionary(fc.constantFrom('a', 'b', 'x-y', 'e"e'), fc.oneof(leaf, nested))
    const id = fc.oneof(text, fc.integer({ min: -9, max: 9_999 }))
    const body = fc.oneof(
      fc.record({ method: text, params: nested }),
      fc.record({ result: nested }),
      fc.record({ error: nested }),
    )
    const message = fc
      .tuple(fc.record({ id, jsonrpc: fc.constant('2.0') }), body, extra)
      .map((parts) => Object.entries(Object.assign({}, ...parts) as object))
      .chain((entries) => fc.shuffledSubarray(entries, { minLength: entries.length }))
      .map((entries) => Object.fromEntries(entries) as { id: string | number; method?: string })
    let found = 0

    fc.assert(
      fc.property(message, fc.integer({ min: 1, max: 60 }), (sent, bytes) => {
        const { id: seen, isAnswerable } = told(JSON.stringify(sent), bytes)

        if (seen === undefined) return
        found += 1
        expect([seen, isAnswerable]).toEqual([sent.id, 'method' in sent])
      }),
      { numRuns: 3_000 },
    )
    expect(found).toBeGreaterThan(100)
  })
})
