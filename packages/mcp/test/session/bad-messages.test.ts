import { expect, test } from 'vitest'

import { describeMatrix, everyChannel } from '../support/matrix.ts'
import type { RawClient } from '../support/raw-client.ts'
import { createSampleServer } from '../support/sample-server.ts'

/** What is sent, as text or object, and the whole of what comes back. */
type Case = readonly [name: string, sent: unknown, answer: object]

const invalid = (message: string, id?: string | number): object => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code: -32600, message },
})

const envelopes: readonly Case[] = [
  [
    'text that is no JSON [BASE-21]',
    '{"jsonrpc":"2.0","id":1,',
    { jsonrpc: '2.0', error: { code: -32700, message: 'not JSON: {"jsonrpc":"2.0","id":1,' } },
  ],
  ['a number', '5', invalid('a message is a JSON object')],
  ['the value null', 'null', invalid('a message is a JSON object')],
  [
    'a wrong jsonrpc [BASE-04]',
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    invalid('jsonrpc must be "2.0"', 1),
  ],
  ['no jsonrpc [BASE-04]', { id: 'a', method: 'ping' }, invalid('jsonrpc must be "2.0"', 'a')],
  [
    'the id null [BASE-06] [DEC-05]',
    { jsonrpc: '2.0', id: null, method: 'ping' },
    invalid('id must be a string or an integer'),
  ],
  [
    'a fraction as id [BASE-05] [DEC-05]',
    { jsonrpc: '2.0', id: 1.5, method: 'ping' },
    invalid('id must be a string or an integer'),
  ],
  [
    'an object as id [BASE-05]',
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    invalid('id must be a string or an integer'),
  ],
  [
    'true as id [BASE-05]',
    { jsonrpc: '2.0', id: true, method: 'ping' },
    invalid('id must be a string or an integer'),
  ],
  [
    'params in an array [BASE-16]',
    { jsonrpc: '2.0', id: 1, method: 'ping', params: [] },
    invalid('params must be an object', 1),
  ],
  [
    'params as text [BASE-16]',
    { jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' },
    invalid('params must be an object', 1),
  ],
  [
    'a method that is a number',
    { jsonrpc: '2.0', id: 1, method: 1 },
    invalid('method must be a string', 1),
  ],
  [
    'neither method nor result',
    { jsonrpc: '2.0', id: 1 },
    invalid('neither method, result nor error', 1),
  ],
]

/** What is read and not answered. */
const unanswered: readonly (readonly [name: string, sent: unknown])[] = [
  ['a result for nothing [CANC-08]', { jsonrpc: '2.0', id: 99, result: {} }],
  ['an error for nothing', { jsonrpc: '2.0', id: 99, error: { code: 1, message: 'x' } }],
  ['an error without an id [DEC-05]', { jsonrpc: '2.0', error: { code: 1, message: 'x' } }],
  ['a result that is null', { jsonrpc: '2.0', id: 1, result: null }],
  [
    'both result and error [BASE-10]',
    { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: 'x' } },
  ],
  ['an unknown notification [BASE-15]', { jsonrpc: '2.0', method: 'notifications/none' }],
  [
    'a notification with params in an array [BASE-15]',
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: [] },
  ],
  [
    'a notification with a wrong jsonrpc [BASE-15]',
    { jsonrpc: '1.0', method: 'notifications/cancelled' },
  ],
  [
    'a request method without an id',
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'count' } },
  ],
  [
    'a cancellation of an unknown request [CANC-07] [CANC-12]',
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } },
  ],
  [
    'a cancellation of a finished request [CANC-07] [CANC-12]',
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'raw-1' } },
  ],
  [
    'a malformed cancellation [CANC-12]',
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } },
  ],
  ['a cancellation of nothing [CANC-12]', { jsonrpc: '2.0', method: 'notifications/cancelled' }],
  [
    'progress for an unknown token [PROG-12]',
    {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'none', progress: 1 },
    },
  ],
  [
    'malformed progress',
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: {} } },
  ],
  ['a second initialized', { jsonrpc: '2.0', method: 'notifications/initialized' }],
]

async function expectAlive(client: RawClient): Promise<void> {
  expect(await client.request('ping', undefined, 'alive')).toEqual({
    jsonrpc: '2.0',
    id: 'alive',
    result: {},
  })
}

describeMatrix(
  'what is no message',
  ({ rawClient }) => {
    test.each(envelopes)(
      'is answered, runs nothing and leaves the session as it was: %s',
      async (_, sent, answer) => {
        const { server, calls } = createSampleServer()
        const client = await rawClient(server)

        client.send(sent)

        expect(await client.next()).toEqual(answer)
        expect(calls.count).toBe(0)
        await expectAlive(client)
        await client.close()
      },
    )

    test.each(unanswered)('is not answered: %s', async (_, sent) => {
      const { server, calls } = createSampleServer()
      const client = await rawClient(server)

      client.send(sent)

      await expectAlive(client)
      expect(await client.quiet()).toEqual([])
      expect(calls.count).toBe(0)
      await client.close()
    })

    test('is a message nested too deeply', async () => {
      const client = await rawClient(createSampleServer().server)
      const deep = '{"a":'.repeat(200) + '1' + '}'.repeat(200)

      client.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep}}`)

      expect(await client.next()).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: 413,
          message: 'nested deeper than limits.depth (128) allows',
          data: { limit: 'depth', allowed: 128, reason: 'limit_exceeded' },
        },
      })
      await expectAlive(client)
      await client.close()
    })

    test('is a message with too many values, in objects and arrays that are small', async () => {
      const client = await rawClient(createSampleServer().server, { limits: { values: 50 } })
      const list = Array.from({ length: 60 }, () => [])

      client.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { list } }))

      expect((await client.next()).error).toEqual({
        code: 413,
        message: 'there are more values than limits.values (50) allows',
        data: { limit: 'values', allowed: 50, reason: 'limit_exceeded' },
      })
      await client.close()
    })

    test('is a message with too many members', async () => {
      const client = await rawClient(createSampleServer().server, { limits: { members: 10 } })
      const params = JSON.stringify({ list: Array.from({ length: 11 }, () => 0) })

      client.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`)

      expect(await client.next()).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: {
          code: 413,
          message: 'an object or array has more members than limits.members (10) allows',
          data: { limit: 'members', allowed: 10, reason: 'limit_exceeded' },
        },
      })
      await expectAlive(client)
      await client.close()
    })
  },
  { channels: everyChannel },
)
