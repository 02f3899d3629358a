import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createResponseReader, headerOf, messageIn } from '../measure/http-response.mjs'

interface Response {
  status: number
  head: string
  body: string
}

const plain = 'HTTP/1.1 200 OK\r\nMcp-Session-Id: abc\r\nContent-Length: 17\r\n\r\n{"id":1,"a":"ü"}'
const events = [
  'id: 1\ndata: \n\nda',
  'ta: {"method":"notifications/progress"}\n\n',
  'data: {"id":2,"b":"ü"}\n\n',
]
const streamed =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n' +
  [...events, ''].map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('')
const empty = 'HTTP/1.1 204 No Content\r\nDate: today\r\n\r\n'

test('finds the same responses however the bytes are cut', () => {
  const bytes = Buffer.from(plain + streamed + empty + plain)
  const expected = [
    { status: 200, body: '{"id":1,"a":"ü"}' },
    { status: 200, body: events.join('') },
    { status: 204, body: '' },
    { status: 200, body: '{"id":1,"a":"ü"}' },
  ]

  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      expect(readAll(bytes, cuts)).toMatchObject(expected)
    }),
  )
})

test('finds the answer in a plain body, and among the events of a stream', () => {
  const [first, second] = readAll(Buffer.from(plain + streamed), []) as [Response, Response]

  expect(messageIn(first)).toEqual({ id: 1, a: 'ü' })
  expect(messageIn(second)).toEqual({ id: 2, b: 'ü' })
  expect(headerOf(first.head, 'mcp-session-id')).toBe('abc')
  expect(headerOf(second.head, 'mcp-session-id')).toBeUndefined()
})

test('refuses a response that does not say where it ends', () => {
  const read = createResponseReader(() => {})

  expect(() => read(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('without a length')
})

function readAll(bytes: Buffer, cuts: readonly number[]): Response[] {
  const responses: Response[] = []
  const read = createResponseReader((response: Response) => responses.push(response))
  let start = 0
  for (const end of [...cuts, bytes.length].toSorted((left, right) => left - right)) {
    if (end > start) read(bytes.subarray(start, end))
    start = end
  }
  return responses
}
