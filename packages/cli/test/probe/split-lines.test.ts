import fc from 'fast-check'
import { expect, test } from 'vitest'

import { splitLines } from '../../src/probe/split-lines.ts'

function linesOf(chunks: readonly Uint8Array[]): readonly string[] {
  const lines: string[] = []
  const hear = splitLines((line) => lines.push(line))
  for (const chunk of chunks) hear(chunk)
  return lines
}

test('lines come as they were written, wherever the chunks end', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]|\p{Surrogate}/u.test(text))
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 7 }), (lines, size) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )

      expect(linesOf(chunks)).toEqual(lines)
    }),
  )
})

test('only LF ends a line: JSON may hold the other separators', () => {
  const text = '{"text":"a\u2028b\u2029c"}'

  expect(linesOf([Buffer.from(`${text}\r\n${text}`), Buffer.from('\n')])).toEqual([text, text])
})

test('of a line without an end only the beginning is kept', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x')
  const chunks = [...Array.from({ length: 40 }, () => megabyte), Buffer.from('\nnext\n')]

  const [long = '', next] = linesOf(chunks)

  expect(long.length).toBeLessThanOrEqual(17 * 1024 * 1024)
  expect(next).toBe('next')
})
