import { constants } from 'node:buffer'

import { isRpcError } from '@parley/mcp'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { createLineSplitter, type Line } from '../../src/transport/stdio/line-splitter.ts'

function splitAll(chunks: readonly Buffer[], messageBytes = 1024): Line[] {
  const splitter = createLineSplitter(messageBytes)
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()]
}

/** A line, or the code of what stands in its place. */
function outcomes(lines: readonly Line[]): string[] {
  return lines.map((line) => (typeof line === 'string' ? line : line.code))
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length]
  sorted.sort((a, b) => a - b)
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
}

describe('splitting a stream into lines', () => {
  test('takes LF and CRLF, and leaves a lone CR alone [STDIO-03]', () => {
    const lines = splitAll([Buffer.from('{"a":1}\r\n{"b":\r2}\n{"c":3}')])

    expect(lines).toEqual(['{"a":1}', '{"b":\r2}', '{"c":3}'])
  })

  test('puts bytes together that arrive one by one, also within a character [STDIO-03]', () => {
    const text = '{"text":"zażółć 🎉"}\r\n\n  \r\n{"n":2}\n'

    const lines = splitAll([...Buffer.from(text)].map((byte) => Buffer.of(byte)))

    expect(lines).toEqual(['{"text":"zażółć 🎉"}', '{"n":2}'])
  })

  test('ignores a byte order mark at the beginning, even alone on its line', () => {
    expect(splitAll([Buffer.from('\uFEFF{}\n\uFEFF{}\n')])).toEqual(['{}', '\uFEFF{}'])
    expect(splitAll([Buffer.from('\uFEFF'), Buffer.from('{}\n')])).toEqual(['{}'])
    expect(splitAll([Buffer.from('\uFEFF\n{}\n')])).toEqual(['{}'])
  })

  test.each([
    ['in one chunk', (bytes: Buffer) => [bytes]],
    ['over many chunks', (bytes: Buffer) => cut(bytes, [0, 1, 7, 12, 13, 20, 29, 30, 31])],
  ])('replaces a line over the limit by an error and goes on, %s', (_, chunk) => {
    const bytes = Buffer.from(`${'x'.repeat(10)}\n${'y'.repeat(18)}\r\n${'z'.repeat(9)}`)

    const lines = splitAll(chunk(bytes), 10)

    expect(outcomes(lines)).toEqual(['x'.repeat(10), 'limit_exceeded', 'z'.repeat(9)])
    const error = lines.find((line) => isRpcError(line, 'limit_exceeded'))
    expect(error?.message).toContain('limits.messageBytes')
    expect(error?.data).toMatchObject({ limit: 'messageBytes', allowed: 10 })
    expect(error?.message).toMatch(/of 1[89] bytes/) // with or without its CR
  })

  test('keeps of a line over the limit what tells whom it concerns, however it is cut', () => {
    const params = { text: 'é'.repeat(3_000) }
    const line = Buffer.from(
      `${JSON.stringify({ method: 'work', params, jsonrpc: '2.0', id: 7 })}\n`,
    )
    fc.assert(
      fc.property(fc.array(fc.nat(line.length)), (places) => {
        const [error] = splitAll(cut(line, places), 2_000)

        expect(error).toMatchObject({ cause: { id: 7, method: 'work', params: null } })
      }),
    )
    const bytes = [...line].map((byte) => Buffer.of(byte))
    expect(splitAll(bytes, 2_000)).toMatchObject([{ cause: { id: 7 } }])
  })

  test('reports a line over the limit that never ends', () => {
    expect(
      outcomes(splitAll([Buffer.from('x'.repeat(6)), Buffer.from('y'.repeat(6))], 10)),
    ).toEqual(['limit_exceeded'])
  })

  test('replaces invalid UTF-8 by an error, but not the replacement character itself', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"\uFFFD"}\n{"b":"'),
      Buffer.of(0xff),
      Buffer.from('"}\n{"c":1}\n'),
    ])

    expect(outcomes(splitAll([bytes]))).toEqual(['{"a":"\uFFFD"}', 'parse_error', '{"c":1}'])
  })

  test('reads a line of 64 MiB in pieces of 64 KiB', () => {
    const size = 64 * 1024 * 1024
    const splitter = createLineSplitter(size)
    const piece = Buffer.alloc(64 * 1024, 'x')

    for (let sent = 0; sent < size; sent += piece.length) expect(splitter.push(piece)).toEqual([])
    const [line] = splitter.push(Buffer.from('\n'))

    expect(line).toHaveLength(size)
  })

  test('never asks for a longer string than the engine has', () => {
    expect(constants.MAX_STRING_LENGTH).toBeLessThan(Number.MAX_SAFE_INTEGER)
    expect(splitAll([Buffer.from('{}\n')], Infinity)).toEqual(['{}'])
  })

  test('gives the same lines however the bytes are cut', () => {
    const byte = fc.oneof(fc.constantFrom(0x0a, 0x0d, 0x20, 0x7b, 0xc3, 0xa9, 0xff), fc.nat(255))
    const bytes = fc.array(byte, { maxLength: 120 }).map((values) => Buffer.from(values))
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.nat(200)),
        fc.integer({ min: 1, max: 30 }),
        (all, places, limit) => {
          const whole = outcomes(splitAll([all], limit))

          expect(outcomes(splitAll(cut(all, places), limit))).toEqual(whole)
        },
      ),
      { numRuns: tries(2_000) },
    )
  })

  test('gives back every text that was written line by line', () => {
    const message = fc.json().map((json) => JSON.stringify({ json }))
    fc.assert(
      fc.property(fc.array(message), fc.array(fc.nat(5_000)), (messages, places) => {
        const bytes = Buffer.from(messages.map((text) => `${text}\n`).join(''))

        expect(splitAll(cut(bytes, places), 1_000_000)).toEqual(messages)
      }),
    )
  })
})
