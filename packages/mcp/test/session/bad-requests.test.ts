import { expect, test } from 'vitest'

import { describeMatrix, serverChannels } from '../support/matrix.ts'
import { createSampleServer } from '../support/sample-server.ts'

/** What is sent, as text or object, and the whole of what comes back. */
type Case = readonly [name: string, sent: unknown, answer: object]

const invalid = (message: string, id?: string | number): object => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code: -32600, message },
})

const requests: readonly Case[] = [
  [
    'an unknown method [BASE-21]',
    { method: 'tools/destroy' },
    {
      code: -32601,
      message: 'unknown method: tools/destroy',
      data: { method: 'tools/destroy' },
    },
  ],
  [
    'a method of the other side',
    { method: 'sampling/createMessage', params: {} },
    {
      code: -32601,
      message: 'unknown method: sampling/createMessage',
      data: { method: 'sampling/createMessage' },
    },
  ],
  [
    'a name from Object.prototype as method',
    { method: 'constructor' },
    {
      code: -32601,
      message: 'unknown method: constructor',
      data: { method: 'constructor' },
    },
  ],
  [
    'params that do not fit [BASE-21]',
    { method: 'tools/call', params: { name: 5 } },
    { code: -32602, message: 'tools/call: name: a string' },
  ],
  [
    'an unknown tool',
    { method: 'tools/call', params: { name: 'nope' } },
    { code: -32602, message: 'unknown tool: nope' },
  ],
  [
    'an unknown prompt',
    { method: 'prompts/get', params: { name: 'nope' } },
    { code: -32602, message: 'unknown prompt: nope' },
  ],
  [
    'an unknown resource',
    { method: 'resources/read', params: { uri: 'note://two' } },
    { code: -32002, message: 'there is no resource note://two', data: { uri: 'note://two' } },
  ],
  [
    'a cursor from elsewhere',
    { method: 'tools/list', params: { cursor: 'bm9wZQ' } },
    { code: -32602, message: 'invalid cursor: list again without one' },
  ],
  [
    'an unknown log level',
    { method: 'logging/setLevel', params: { level: 'loud' } },
    {
      code: -32602,
      message:
        'logging/setLevel: level: "debug" or "info" or "notice" or "warning" or "error" or "critical" or "alert" or "emergency"',
    },
  ],
  [
    'a missing prompt argument',
    { method: 'prompts/get', params: { name: 'greet', arguments: {} } },
    {
      code: -32602,
      message: 'Invalid arguments for prompt greet: must have property "name"',
      data: { issues: [{ message: 'must have property "name"', path: [] }] },
    },
  ],
  [
    'a progress token that is an object [PROG-01]',
    { method: 'tools/call', params: { name: 'count', _meta: { progressToken: {} } } },
    { code: -32602, message: 'tools/call: _meta.progressToken: a string or an integer' },
  ],
]

describeMatrix(
  'a bad request',
  ({ rawClient }) => {
    test.each(requests)(
      'is answered, runs nothing and leaves the session as it was: %s',
      async (_, sent, error) => {
        const { server, calls } = createSampleServer()
        const client = await rawClient(server)

        client.send({ jsonrpc: '2.0', id: 'bad', ...(sent as object) })

        expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 'bad', error })
        expect(calls.count).toBe(0)
        expect((await client.request('ping')).result).toEqual({})
        await client.close()
      },
    )
    test('is an id that is still in use: the first request keeps the only answer [BASE-07]', async () => {
      const { server, release, calls } = createSampleServer()
      const client = await rawClient(server)
      client.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'hang' } })

      for (const method of ['tools/call', 'ping', 'initialize', 'tools/list']) {
        client.send({ jsonrpc: '2.0', id: 5, method, params: { name: 'count' } })
        expect(await client.next()).toEqual(invalid('the request id 5 is still in use'))
      }
      release()

      expect(await client.next()).toEqual({
        jsonrpc: '2.0',
        id: 5,
        result: { content: [{ type: 'text', text: 'released' }] },
      })
      expect(await client.quiet()).toEqual([])
      expect(calls).toEqual({ count: 0, hang: 1 })
      await client.close()
    })

    test('is not what a fault of ours is called: it has a number and an id to look for [BASE-21]', async () => {
      const errors: unknown[] = []
      const client = await rawClient(createSampleServer().server, {
        onError: (error, { correlationId }) =>
          errors.push([(error as Error).message, correlationId]),
      })

      const { error } = await client.request('prompts/get', { name: 'fail' })

      const { correlationId } = (error?.data ?? {}) as { correlationId?: string }
      expect(error).toEqual({
        code: -32603,
        message: `internal error (${correlationId})`,
        data: { correlationId },
      })
      expect(errors).toEqual([['a secret of ours', correlationId]])
      await client.close()
    })
  },
  { channels: serverChannels },
)
