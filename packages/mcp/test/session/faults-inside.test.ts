import { createServer, type Server } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { describeMatrix, everyChannel } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'

function serving(handler: () => unknown): Server {
  const server = createServer({ name: 'faulty', version: '1.0.0', onError: () => undefined })
  server.tool('fault', {}, handler as () => string)
  server.tool('fine', {}, () => 'fine')
  return server
}

function expectMasked({ result, error }: Raw): void {
  const said = JSON.stringify(result ?? error)
  expect(said).toMatch(/internal error \([0-9a-f-]{36}\)/)
  expect(said).not.toContain('ours')
}

describeMatrix(
  'a fault inside',
  ({ channel, rawClient, rawServer }) => {
    test('is answered if a result is not what its author said, and nothing breaks [BASE-21]', async () => {
      const server = serving(() => ({ content: [null] }))
      const half = { messages: [{ role: 'user' }] } // what untyped code may return
      server.prompt('half', {}, () => half as unknown as string)
      const client = await rawClient(server)

      expectMasked(await client.request('tools/call', { name: 'fault' }))
      expectMasked(await client.request('prompts/get', { name: 'half' }))

      expect((await client.request('tools/call', { name: 'fine' })).result).toEqual({
        content: [{ type: 'text', text: 'fine' }],
      })
      await client.close()
    })

    test.each([
      ['an error', new Error('ours')],
      ['text', 'ours'],
      ['null', null],
      ['nothing', undefined],
    ])('is answered without what was thrown: %s [BASE-21]', async (_, thrown) => {
      const reported: unknown[] = []
      const client = await rawClient(
        serving(() => {
          throw thrown
        }),
        { onError: (error) => reported.push(error) },
      )

      expectMasked(await client.request('tools/call', { name: 'fault' }))

      expect(reported).toEqual([thrown])
      await client.close()
    })

    test('is answered although nobody can be told of it', async () => {
      const client = await rawClient(
        serving(() => {
          throw new Error('ours')
        }),
        {
          onError: () => {
            throw new Error('a broken reporter')
          },
        },
      )

      expectMasked(await client.request('tools/call', { name: 'fault' }))
      client.send('not json')
      expect((await client.next()).error?.code).toBe(-32700)
      expect((await client.request('ping')).result).toEqual({})
      await client.close()
    })

    test('is answered if the result has no JSON', async () => {
      if (channel === 'memory') return // objects pass as they are
      const client = await rawClient(
        serving(() => ({ content: [], structuredContent: { big: 1n } })),
        { revision: '2025-06-18' },
      )

      const { error } = await client.request('tools/call', { name: 'fault' }, 1)

      expect(error).toEqual({ code: -32603, message: 'the result cannot be written as JSON' })
      expect((await client.request('ping')).result).toEqual({})
      await client.close()
    })

    describe('of our client', () => {
      test('in what it was given to call is reported, and the connection goes on', async () => {
        const reported: string[] = []
        const fault = (): never => {
          throw new Error('ours')
        }
        const server = rawServer({
          onLog: fault,
          onMessage: fault,
          onError: (error) => reported.push((error as Error).message),
        })
        const client = await server.accept()

        server.send({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: 1 },
        })
        const pinging = client.ping()
        await server.answer('ping', {})

        expect(await pinging).toBeTypeOf('number')
        expect(new Set(reported)).toEqual(new Set(['ours']))
        await client.close()
      })

      test('in the answer to a question is an error for the server that says nothing of it', async () => {
        const server = rawServer({
          sample: () => {
            throw new Error('ours')
          },
          roots: () => {
            throw new Error('ours')
          },
        })
        const client = await server.accept()

        server.send({ jsonrpc: '2.0', id: 'r', method: 'roots/list' })
        const roots = await server.next(({ id }) => id === 'r')
        server.send({
          jsonrpc: '2.0',
          id: 's',
          method: 'sampling/createMessage',
          params: { messages: [], maxTokens: 1 },
        })
        const sampled = await server.next(({ id }) => id === 's')

        expect(roots).toEqual({
          jsonrpc: '2.0',
          id: 'r',
          error: { code: -32603, message: 'roots/list failed' },
        })
        expect(sampled).toEqual({
          jsonrpc: '2.0',
          id: 's',
          error: { code: -1, message: 'the sampling request was refused' },
        })
        await client.close()
      })
    })
  },
  { channels: everyChannel },
)
