import { createParser } from 'eventsource-parser'
import { assert, constantFrom, array, string, oneof, property } from 'fast-check'
import { expect, test } from 'vitest'

import { createEventParser } from '../../../src/transport/http-client/event-parser.ts'

/** Events and retries, as one parser after the other sees them. */
function readWith(pieces: readonly string[], mostChars = Infinity) {
  const seen: unknown[] = []
  const parse = createEventParser({
    mostChars,
    onEvent: ({ id, event, data }) => seen.push([id, event, data]),
    onRetry: (ms) => seen.push(ms),
  })
  return { seen, results: pieces.map(parse) }
}

const field = constantFrom('data', 'event', 'id', 'retry', 'other', '', 'dat', 'data ')
const value = oneof(string(), constantFrom('', ' ', '  x', '3', '03', '-1', ':', '\0', 'a\tb'))
const lineBreak = constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n\r\n')
const separator = constantFrom(':', ': ', '', ' :')
const piece = oneof(field, separator, value, lineBreak, constantFrom('data: x\n\n', ': comment\n'))

test('reads any stream, however it was cut, as another parser does', () => {
  assert(
    property(array(piece, { maxLength: 40 }), (pieces) => {
      const expected: unknown[] = []
      const other = createParser({
        onEvent: ({ id, event, data }) => expected.push([id, event, data]),
        onRetry: (ms) => expected.push(ms),
      })
      for (const text of ['data: first\n\n', ...pieces]) other.feed(text)

      expect(readWith(['data: first\n\n', ...pieces]).seen).toEqual(expected)
    }),
  )
})

test('says the same wherever the stream is cut', () => {
  const text =
    'id: 1\r\nevent: message\r\ndata: {"a":\r\ndata: 1}\r\n\r\nretry: 5\r\n: note\r\ndata\r\n\r\n.'
  const whole = readWith([text]).seen

  expect(whole).toEqual([['1', 'message', '{"a":\n1}'], 5, [undefined, undefined, '']])
  for (let at = 1; at < text.length; at++) {
    expect(readWith([text.slice(0, at), text.slice(at)]).seen).toEqual(whole)
  }
})

test('says when a line or an event that is not complete is too long, and not before', () => {
  expect(readWith(['data: 1234', '\n', '\n'], 10).results).toEqual([true, true, true])
  expect(readWith(['data: 12345'], 10).results).toEqual([false])
  expect(readWith(['data: 12345\n', 'data: 1234\n'], 10).results).toEqual([true, true])
  expect(readWith(['data: 12345\n', 'data: 12345\n'], 10).results).toEqual([true, false])
})
