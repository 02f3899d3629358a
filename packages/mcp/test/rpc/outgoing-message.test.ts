import { expect, test } from 'vitest'

import { OutgoingMessage } from '../../src/rpc/transport.ts'

test('writes a message as JSON once, however often its text is read', () => {
  let written = 0
  const message = new OutgoingMessage({
    jsonrpc: '2.0',
    method: 'ping',
    toJSON: () => ({ written: ++written }),
  })

  expect([message.text, message.text]).toEqual(['{"written":1}', '{"written":1}'])
})

test('parses a text that was already written, and leaves the text as it was', () => {
  const message = new OutgoingMessage('{ "jsonrpc": "2.0", "id": 1, "result": {} }')

  expect(message.value).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  expect(message.value).toBe(message.value)
  expect(message.text).toBe('{ "jsonrpc": "2.0", "id": 1, "result": {} }')
})

test('has no value for text that is not JSON, and throws for an object that has no JSON', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic

  expect(new OutgoingMessage('not json').value).toBeUndefined()
  expect(() => new OutgoingMessage(cyclic).text).toThrow(TypeError)
})
