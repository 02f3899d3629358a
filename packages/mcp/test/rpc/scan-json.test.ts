import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { frameOf } from '../../src/rpc/frame.ts'
import { measureJson, scanJson } from '../../src/rpc/json/json-limits.ts'
import { decodeMessage } from '../../src/rpc/message.ts'
import { OutgoingMessage } from '../../src/rpc/transport.ts'
import { readCursor } from '../../src/server/lists/pagination.ts'
import { readIncoming } from '../../src/transport/http-client/incoming.ts'

const limits = { depth: 4, members: 3, values: 12 }
const usual = { depth: 128, members: 100_000 }
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const wide = (members: number) => `[${'0,'.repeat(members - 1)}0]`

afterEach(() => void vi.restoreAllMocks())

describe('the scan of a text before it is parsed', () => {
  test.each([
    ['as deep as allowed', deep(4)],
    ['as wide as allowed', '{"aaaa":1,"bbbb":2,"cccc":[1,2,3]}'],
    ['a long scalar', JSON.stringify('x'.repeat(100))],
    ['brackets and commas in a short string', JSON.stringify({ a: '[[[[[,,,,,' })],
    ['brackets and commas in a long one', JSON.stringify({ a: '[{,"\\'.repeat(40) })],
    ['a string that ends with escaped backslashes', `{"a":"${'\\\\'.repeat(30)}","b":[[[]]]}`],
    ['wide in many places', '[[1,2,3],[1,2,3],[1,2,3]]'],
    ['as much as allowed', '[[[],[]],[1,2,3],[1,2]]'],
  ])('lets through what is %s', (_, text) => {
    expect(scanJson(text, limits)).toBeUndefined()
  })

  test.each([
    ['depth', 4, deep(5), 'nested deeper than limits.depth (4) allows'],
    ['depth', 4, `{"a":"${'\\\\'.repeat(30)}","b":${deep(4)}}`, 'nested deeper than'],
    ['members', 3, wide(4), 'an object or array has more members than limits.members (3) allows'],
    ['values', 12, '[[[],[]],[1,2,3],[1,2,3]]', 'there are more values than limits.values (12)'],
    ['members', 3, '{"a":1,"b":2,"c":3,"d":4}', 'an object or array has more members than'],
  ])('names the limit %s (%i), what was seen and the option', (limit, allowed, text, message) => {
    expect(scanJson(text, limits)).toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringContaining(message) as unknown,
      data: { limit, allowed },
    })
  })

  test('agrees with a measure after parsing, whatever the JSON', () => {
    const string = fc.string({
      unit: fc.constantFrom('"', '\\', '{', '[', ']', ',', 'x'.repeat(9)),
    })
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 6 },
        string,
        fc.double(),
        { arbitrary: tie('list'), weight: 3 },
        { arbitrary: tie('object'), weight: 3 },
      ),
      list: fc.array(tie('json'), { maxLength: 4 }),
      object: fc.dictionary(string, tie('json'), { maxKeys: 4 }),
    }))
    const seen = { within: 0, depth: 0, members: 0, values: 0 }

    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (given, space) => {
        const text = JSON.stringify(given, undefined, space)
        const measured = measureJson(JSON.parse(text), limits)
        const scanned = scanJson(text, limits)

        expect(scanned !== undefined).toBe(measured !== undefined)
        seen[
          (scanned?.data as { limit: Exclude<keyof typeof seen, 'within'> } | undefined)?.limit ??
            'within'
        ] += 1
      }),
      { numRuns: 2_000 },
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(50)
  })

  test('stops at the first bracket that is too many', () => {
    const read = vi.spyOn(String.prototype, 'charCodeAt')

    scanJson('['.repeat(1_000_000), usual)

    expect(read.mock.calls.length).toBeLessThan(200)
  })

  test('reads nothing of a text too short to break a limit, nor long strings by the character', () => {
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'x',
      params: { a: 'b'.repeat(900) },
    })
    const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) })
    const read = vi.spyOn(String.prototype, 'charCodeAt')

    scanJson(call, usual)
    expect(read.mock.calls.length).toBe(0)

    scanJson(large, usual)
    expect(read.mock.calls.length).toBeLessThan(100)
  })
})

describe('JSON beyond a limit is not parsed', () => {
  const request = (params: string) =>
    `{"jsonrpc":"2.0","id":4,"method":"x","params":{"a":${params}}}`
  const response = (result: string) => `{"jsonrpc":"2.0","id":4,"result":{"a":${result}}}`

  test.each([
    ['deep', deep(100_000)],
    ['unclosed', '['.repeat(100_000)],
    ['wide', wide(120_000)],
  ])('when it is %s: by a peer, an HTTP answer, a trace or a cursor', (_, hostile) => {
    const cursor = Buffer.from(hostile).toString('base64url')
    const parse = vi.spyOn(JSON, 'parse')

    expect(decodeMessage(request(hostile), usual)).toMatchObject({
      kind: 'malformed',
      error: { code: 'limit_exceeded' },
    })
    const answer = readIncoming(response(hostile), usual)
    expect(answer).toMatchObject({ message: response(hostile) })
    expect(frameOf('in', 0, new OutgoingMessage(response(hostile))).message).toBe(response(hostile))
    expect(() => readCursor(cursor)).toThrow('invalid cursor')

    // The ends of a message, which tell its id, are all that was.
    expect(parse.mock.calls.filter(([text]) => text.length > 2_048)).toEqual([])
  })

  test('and who waits for the answer is told by its id, which an HTTP answer carries too', () => {
    expect(readIncoming(response(deep(200)), usual).answers).toEqual([4])
    expect(decodeMessage(response(deep(200)), usual)).toMatchObject({ id: 4 })
    expect(decodeMessage(request(deep(200)), usual)).toMatchObject({ id: 4, isAnswerable: true })
  })
})
