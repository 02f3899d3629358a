import { createServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { describeMatrix, serverChannels } from '../support/matrix.ts'
import { createSampleServer } from '../support/sample-server.ts'

describeMatrix(
  'a cancellation',
  ({ rawClient, rawServer }) => {
    describe('by a client', () => {
      test('aborts the work, with the reason, and nothing is sent for it any more [CANC-04, CANC-05, CANC-06] [CANC-10] [CANC-13]', async () => {
        const { server, release, aborted } = createSampleServer()
        const client = await rawClient(server)
        client.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'hang' } })
        await client.request('ping')

        client.notify('notifications/cancelled', { requestId: 5, reason: 'changed my mind' })
        await client.request('ping')

        expect(aborted).toEqual([
          expect.objectContaining({
            code: 'cancelled',
            message: 'changed my mind',
            details: { by: 'caller' },
          }),
        ])
        release()
        expect(await client.quiet()).toEqual([])
        const { result } = await client.request('tools/call', { name: 'count' })
        expect(result).toEqual({ content: [{ type: 'text', text: '1' }] })
        await client.close()
      })

      test('stops progress and log messages of the work as well [CANC-06] [PROG-14]', async () => {
        const server = createServer({ name: 'chatty', version: '1.0.0' })
        let cancelled = (): void => undefined
        server.tool('chatty', {}, async (_, context) => {
          const aborting = new Promise<void>((resolve) => (cancelled = resolve))
          context.signal.addEventListener('abort', () => cancelled())
          await aborting
          await context.progress({ progress: 1 })
          context.log('error', 'still here')
          throw new Error('aborted')
        })
        const client = await rawClient(server)
        client.send({
          jsonrpc: '2.0',
          id: 5,
          method: 'tools/call',
          params: { name: 'chatty', _meta: { progressToken: 'p' } },
        })
        await client.request('ping')

        client.notify('notifications/cancelled', { requestId: 5 })

        expect(await client.quiet()).toEqual([])
        await client.close()
      })

      test('reaches only the request it names, id by id and type by type [CANC-01]', async () => {
        const { server, aborted, release } = createSampleServer()
        const client = await rawClient(server)
        for (const id of [5, '5']) {
          client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'hang' } })
        }

        client.notify('notifications/cancelled', { requestId: '5' })
        await client.request('ping')
        expect(aborted).toHaveLength(1)
        release()

        expect((await client.next()).id).toBe(5)
        expect(await client.quiet()).toEqual([])
        await client.close()
      })

      test('that crosses the answer changes nothing [CANC-09] [CANC-07]', async () => {
        const client = await rawClient(createSampleServer().server)

        client.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'count' } })
        client.notify('notifications/cancelled', { requestId: 5 })
        client.notify('notifications/cancelled', { requestId: 5 })

        const { result } = await client.request('tools/call', { name: 'count' })
        expect(result).toHaveProperty('content')
        expect(client.received.filter(({ id }) => id === 5).length).toBeLessThan(2)
        await client.close()
      })
    })

    describe('by our client', () => {
      test('rejects at once with the reason of the signal and names the request that waits [CANC-01, CANC-02]', async () => {
        const server = rawServer()
        const client = await server.accept()
        const controller = new AbortController()
        const calling = client.callTool('slow', {}, { signal: controller.signal })
        const { id } = await server.expect('tools/call')

        controller.abort(new Error('the user pressed escape'))

        await expect(calling).rejects.toThrow('the user pressed escape')
        expect(await server.expect('notifications/cancelled')).toEqual({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'the user pressed escape' },
        })
        await client.close()
      })

      test('is not sent for what was answered or never sent [CANC-02]', async () => {
        const server = rawServer()
        const client = await server.accept()
        await server.expect('notifications/initialized')
        const controller = new AbortController()
        const calling = client.callTool('quick', {}, { signal: controller.signal })
        await server.answer('tools/call', { content: [] })
        await calling

        controller.abort()
        await expect(client.callTool('x', {}, { signal: controller.signal })).rejects.toThrow()

        expect(await server.quiet()).toEqual([])
        await client.close()
      })

      test.each([
        ['a result', { result: { content: [] } }],
        ['an error', { error: { code: 1, message: 'cancelled' } }],
      ])('makes %s that comes late mean nothing [CANC-08] [CANC-09]', async (_, late) => {
        const reports: unknown[] = []
        const server = rawServer({ onError: (error) => reports.push(error) })
        const client = await server.accept()
        const controller = new AbortController()
        const calling = client.callTool('slow', {}, { signal: controller.signal })
        const { id } = await server.expect('tools/call')
        controller.abort('enough')
        await expect(calling).rejects.toBe('enough')

        server.send({ jsonrpc: '2.0', id, ...late })

        const pinging = client.ping()
        await server.answer('ping', {})
        expect(await pinging).toBeTypeOf('number')
        expect(reports).toEqual([])
        await client.close()
      })

      test('reaches the handler of a question the server withdraws, and it is not answered [CANC-04] [CANC-06]', async () => {
        const reasons: unknown[] = []
        const server = rawServer({
          sample: (_, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => {
                reasons.push(signal.reason)
                reject(new Error('aborted'))
              })
            }),
        })
        const client = await server.accept()
        await server.expect('notifications/initialized')
        server.send({
          jsonrpc: '2.0',
          id: 1,
          method: 'sampling/createMessage',
          params: { messages: [], maxTokens: 1 },
        })
        await server.quiet()

        server.send({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: 1, reason: 'no longer needed' },
        })

        expect(await server.quiet()).toEqual([])
        expect(reasons).toEqual([
          expect.objectContaining({ code: 'cancelled', message: 'no longer needed' }),
        ])
        await client.close()
      })

      test.each([{ requestId: 99 }, { requestId: null }, {}])(
        'ignores %j from a server [CANC-12]',
        async (params) => {
          const errors: unknown[] = []
          const server = rawServer({ onError: (error) => errors.push(error) })
          const client = await server.accept()
          await server.expect('notifications/initialized')

          server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })

          expect(await server.quiet()).toEqual([])
          expect(errors).toEqual([])
          await client.close()
        },
      )
    })

    test('is sent to the client for a question when its call is cancelled [CANC-01]', async () => {
      const server = createServer({ name: 'asks', version: '1.0.0' })
      server.tool('ask', {}, async (_, context) => `${(await context.listRoots()).length}`)
      const client = await rawClient(server, { capabilities: { roots: {} } })
      client.send({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'ask' } })
      const inputRequest = await client.next(({ method }) => method === 'roots/list')

      client.notify('notifications/cancelled', { requestId: 'call', reason: 'enough' })

      expect(await client.next()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: inputRequest.id, reason: 'enough' },
      })
      expect(await client.quiet()).toEqual([])
      await client.close()
    })
  },
  { channels: serverChannels },
)
