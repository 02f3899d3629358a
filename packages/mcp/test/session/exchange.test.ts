import { createServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { describeMatrix, serverChannels } from '../support/matrix.ts'
import { createSampleServer } from '../support/sample-server.ts'

const strange = 'naïve 日本語 🦉 \u2028 \u0000 "quoted" \\ 👩‍👩‍👧'

describeMatrix(
  'an exchange',
  ({ connect, rawClient, rawServer, revision }) => {
    test.each(['7', 7, '', 0, -3, 'ü🦉', Number.MAX_SAFE_INTEGER])(
      'answers the id %j with the same id of the same type [BASE-09]',
      async (id) => {
        const client = await rawClient(createSampleServer().server)

        client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'count' } })

        expect(await client.next()).toEqual({
          jsonrpc: '2.0',
          id,
          result: { content: [{ type: 'text', text: '1' }] },
        })
        await client.close()
      },
    )

    test('keeps the ids of both directions apart [BASE-08]', async () => {
      const server = createServer({ name: 'asks', version: '1.0.0' })
      server.tool('ask', {}, async (_, context) => `${(await context.listRoots()).length} roots`)
      const client = await rawClient(server, { capabilities: { roots: {} } })
      client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } })
      const inputRequest = await client.next(({ method }) => method === 'roots/list')

      expect(inputRequest.id).toBe(1)
      client.send({ jsonrpc: '2.0', id: 1, result: { roots: [] } })

      expect(await client.next()).toMatchObject({ id: 1, result: {} })
      await client.close()
    })

    test('lets a quick answer overtake a slow one [BASE-22]', async () => {
      const { server, release } = createSampleServer()
      const client = await rawClient(server)
      client.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: { name: 'hang' } })
      client.send({ jsonrpc: '2.0', id: 'quick', method: 'tools/call', params: { name: 'count' } })

      expect((await client.next()).id).toBe('quick')
      release()
      expect((await client.next()).id).toBe('slow')
      await client.close()
    })

    test('matches answers that come in any order to their calls [BASE-22]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const calls = ['a', 'b', 'c'].map((name) => client.callTool(name))
      const requests = [1, 2, 3].map(() => server.expect('tools/call'))

      for (const { id, params } of (await Promise.all(requests)).toReversed()) {
        const result = { content: [{ type: 'text', text: `for ${String(params?.['name'])}` }] }
        server.send({ jsonrpc: '2.0', id, result })
      }

      const texts = (await Promise.all(calls)).map(({ content }) => content[0])
      expect(texts).toEqual(['a', 'b', 'c'].map((name) => ({ type: 'text', text: `for ${name}` })))
      await client.close()
    })

    test('never uses an id twice, on either side [BASE-07] [PROG-02]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const ids: unknown[] = [server.received[0]?.id]

      for (let round = 0; round < 50; round += 1) {
        const calling = client.callTool('x', {}, { onProgress: () => undefined })
        const { id, params } = await server.answer('tools/call', { content: [] })
        await calling
        ids.push(id)
        expect(params?.['_meta']).toEqual({ progressToken: id })
      }

      expect(new Set(ids).size).toBe(51)
      await client.close()
    })

    test('carries any text unchanged, both ways [BASE-17]', async () => {
      const server = createServer({ name: 'echo', version: '1.0.0' })
      server.tool('echo', { inputSchema: { type: 'object' } }, (args) => {
        const { text } = args as { text: string }
        return text
      })
      await using client = await connect(server)

      const { content } = await client.callTool('echo', { text: strange })

      expect(content).toEqual([{ type: 'text', text: strange }])
    })

    test('says only what JSON-RPC allows: version, one outcome, integer codes, one sentence [BASE-03] [SCH-26] [BASE-10] [BASE-12] [BASE-13] [BASE-14] [BASE-19]', async () => {
      const { server } = createSampleServer()
      const client = await rawClient(server)
      for (const method of ['tools/list', 'prompts/list', 'resources/list', 'none', 'tools/call']) {
        await client.request(method, { name: 'count', _meta: { progressToken: method } })
      }
      await client.request('prompts/get', { name: 'fail' })

      for (const message of client.received) {
        expect(message.jsonrpc).toBe('2.0')
        if (message.method !== undefined) {
          expect(message).not.toHaveProperty('id')
          continue
        }
        expect('result' in message).toBe(!('error' in message))
        if (message.error === undefined) continue
        expect(Number.isInteger(message.error.code)).toBe(true)
        expect(message.error.message).toMatch(/^[^\n.]{3,120}$/)
      }
      await client.close()
    })

    test('ignores members nobody knows, in every message [BASE-23]', async () => {
      const client = await rawClient(createSampleServer().server)

      client.send({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'count', extra: { deep: [1] }, _meta: { 'com.example/x': 1 } },
        trace: 'abc',
      })
      client.send({ jsonrpc: '2.0', method: 'notifications/initialized', extra: 1 })

      expect(await client.next()).toMatchObject({ id: 1, result: { content: [{ text: '1' }] } })
      await client.close()
    })

    test('reads a result with members nobody knows [BASE-11] [BASE-23]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const calling = client.callTool('x')
      const { id } = await server.expect('tools/call')

      server.send({
        jsonrpc: '2.0',
        id,
        extra: true,
        result: { content: [{ type: 'text', text: 'x', extra: 1 }], extra: { a: null } },
      })

      expect(await calling).toMatchObject({ content: [{ type: 'text', text: 'x' }] })
      await client.close()
    })

    test('brings an error with its code, message and data to the call [BASE-12] [BASE-20]', async () => {
      const server = rawServer()
      const client = await server.accept()
      const calling = client.callTool('x')
      await server.reject('tools/call', { code: 4711, message: 'no', data: [1, { a: 2 }] })

      await expect(calling).rejects.toMatchObject({
        name: 'RpcError',
        code: 'other',
        wireCode: 4711,
        message: 'no',
        data: [1, { a: 2 }],
      })
      await client.close()
    })

    test('of our client survives whatever is no answer [BASE-10] [CANC-08]', async () => {
      const errors: unknown[] = []
      const server = rawServer({ onError: (error) => errors.push(error) })
      const client = await server.accept()
      const calling = client.callTool('x')
      const { id } = await server.expect('tools/call')

      server.send('{ not json')
      server.send({ jsonrpc: '2.0', id: 4_000, result: {} })
      server.send({ jsonrpc: '2.0', id: String(id), result: {} })
      server.send({ jsonrpc: '2.0', error: { code: -32700, message: 'what?' } })
      server.send({ jsonrpc: '2.0', method: 'notifications/none' })
      server.send({ jsonrpc: '2.0', id, result: { content: [] } })

      expect(await calling).toEqual({ content: [] })
      expect(errors).toHaveLength(4)
      await client.close()
    })

    describe('fails the call, and only it, if the answer', () => {
      test.each([
        ['is not an object', { result: null }],
        ['has both result and error', { result: {}, error: { code: 1, message: 'x' } }],
        ['has an error without a code', { error: { message: 'x' } }],
        ['does not fit its method', { result: { content: 'text' } }],
      ])('%s [BASE-10]', async (_, answer) => {
        const server = rawServer()
        const client = await server.accept()
        const calling = client.callTool('x')
        const { id } = await server.expect('tools/call')

        server.send({ jsonrpc: '2.0', id, ...answer })

        await expect(calling).rejects.toMatchObject({ code: 'invalid_message' })
        const pinging = client.ping()
        await server.answer('ping', {})
        expect(await pinging).toBeTypeOf('number')
        await client.close()
      })
    })

    test('takes one message at a time: an array is refused where there are no batches [BASE-18]', async () => {
      const client = await rawClient(createSampleServer().server)
      if (revision === '2025-03-26') return client.close()

      client.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }])

      expect(await client.next()).toEqual({
        jsonrpc: '2.0',
        error: {
          code: -32600,
          message: 'this revision has no batches: send one message at a time',
        },
      })
      expect(await client.quiet()).toEqual([])
      return client.close()
    })
  },
  { channels: serverChannels },
)
