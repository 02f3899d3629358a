import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { frameOf } from '../../src/rpc/frame.ts'
import { OutgoingMessage } from '../../src/rpc/transport.ts'

describe('a frame', () => {
  test('is what was sent, parsed, with its direction and time', () => {
    const message = { jsonrpc: '2.0', method: 'ping', id: 1 }

    expect(frameOf('in', 12, new OutgoingMessage(JSON.stringify(message)))).toEqual({
      direction: 'in',
      at: 12,
      message,
      bytes: 40,
    })
    expect(frameOf('out', 13, new OutgoingMessage(message))).toMatchObject({
      direction: 'out',
      message,
      bytes: 40,
    })
  })

  test('that is no JSON is its text', () => {
    expect(frameOf('in', 0, new OutgoingMessage('{"id":')).message).toBe('{"id":')
  })

  test('counts bytes, not characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const message = { jsonrpc: '2.0', method: text }
        const bytes = Buffer.byteLength(JSON.stringify(message))

        expect(frameOf('out', 0, new OutgoingMessage(message)).bytes).toBe(bytes)
        expect(frameOf('in', 0, new OutgoingMessage(JSON.stringify(message))).bytes).toBe(bytes)
      }),
    )
  })
})
