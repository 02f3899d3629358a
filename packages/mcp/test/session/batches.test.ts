import { expect, test } from 'vitest'

import { describeMatrix, everyChannel } from '../support/matrix.ts'
import type { Raw } from '../support/raw-channel.ts'
import { createSampleServer } from '../support/sample-server.ts'

const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' })
const call = (id: number | string, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name },
})
const said = (id: number | string, text: string) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
})
const invalid = (message: string, id?: number | string) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  error: { code: -32600, message },
})

/** What arrived, where an array is one message. */
const asBatch = (message: Raw): readonly Raw[] => message as unknown as readonly Raw[]

describeMatrix(
  'a batch',
  ({ rawClient, rawServer }) => {
    test('is answered by one array that has an answer for each request [R0326-01] [R0326-05]', async () => {
      const client = await rawClient(createSampleServer().server)

      client.send([ping(1), call('two', 'count'), { jsonrpc: '2.0', method: 'notifications/x' }])

      const answers = asBatch(await client.next())
      expect(answers).toHaveLength(2)
      expect(answers).toContainEqual({ jsonrpc: '2.0', id: 1, result: {} })
      expect(answers).toContainEqual(said('two', '1'))
      expect(await client.quiet()).toEqual([])
      await client.close()
    })

    test('waits for its slowest request, and nothing else waits for it [R0326-05]', async () => {
      const { server, release } = createSampleServer()
      const client = await rawClient(server)

      client.send([call(1, 'hang'), call(2, 'count')])
      expect(await client.request('ping', undefined, 3)).toEqual({
        jsonrpc: '2.0',
        id: 3,
        result: {},
      })
      release()

      expect(await client.next()).toEqual([said(2, '1'), said(1, 'released')])
      await client.close()
    })

    test('of notifications alone is not answered [R0326-05]', async () => {
      const client = await rawClient(createSampleServer().server)

      client.send([{ jsonrpc: '2.0', method: 'notifications/x' }])

      expect(await client.quiet()).toEqual([])
      await client.close()
    })

    test('that is empty is one error [R0326-05]', async () => {
      const client = await rawClient(createSampleServer().server)

      client.send('[]')

      expect(await client.next()).toEqual(invalid('an empty batch'))
      await client.close()
    })

    test('with a bad member has an error for it [R0326-05]', async () => {
      const client = await rawClient(createSampleServer().server)

      client.send([1, { jsonrpc: '1.0', id: 'old', method: 'ping' }, ping(1), null])

      expect(await client.next()).toEqual([
        invalid('a message is a JSON object'),
        invalid('jsonrpc must be "2.0"', 'old'),
        invalid('a message is a JSON object'),
        { jsonrpc: '2.0', id: 1, result: {} },
      ])
      await client.close()
    })

    test('of bad members alone is an array of errors [R0326-05]', async () => {
      const client = await rawClient(createSampleServer().server)

      client.send([1, 2])

      const error = invalid('a message is a JSON object')
      expect(await client.next()).toEqual([error, error])
      await client.close()
    })

    test('with initialize in it is refused as a whole, before and after [R0326-03]', async () => {
      const { server } = createSampleServer()
      const client = await rawClient(server)
      const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }

      client.send([initialize, ping(2)])

      expect(await client.next()).toEqual(invalid('initialize may not be part of a batch'))
      expect(await client.quiet()).toEqual([])
      await client.close()
    })

    test('cannot open a session [R0326-03]', async () => {
      const client = await rawClient(createSampleServer().server, { silent: true })

      client.send([{ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }])

      expect((await client.next()).error?.code).toBe(-32600)
      expect((await client.request('tools/list')).error?.code).toBe(-32600)
      await client.close()
    })

    test('with an id twice runs the first and answers once [BASE-07] [R0326-05]', async () => {
      const { server, calls, release } = createSampleServer()
      const client = await rawClient(server)

      client.send([call(1, 'hang'), call(1, 'count'), call(2, 'count')])
      const rejection = await client.next()
      release()

      expect(rejection).toEqual(invalid('the request id 1 is still in use'))
      const answers = (await client.next()) as unknown as unknown[] // a batch is answered by one
      expect(answers).toHaveLength(2)
      expect(answers).toEqual(expect.arrayContaining([said(1, 'released'), said(2, '1')]))
      expect(calls).toEqual({ count: 1, hang: 1 })
      await client.close()
    })

    test("with the id of a request before it does not have that one's answer [BASE-07] [R0326-05]", async () => {
      const { server, release } = createSampleServer()
      const client = await rawClient(server)
      client.send(call(1, 'hang'))
      await client.request('ping')

      client.send([call(1, 'count'), ping(2)])
      const answers = [await client.next(), await client.next()]
      release()

      expect(answers).toContainEqual(invalid('the request id 1 is still in use'))
      expect(answers).toContainEqual([{ jsonrpc: '2.0', id: 2, result: {} }])
      expect(await client.next()).toEqual(said(1, 'released'))
      await client.close()
    })

    test('does not wait for a request that was cancelled [CANC-06]', async () => {
      const { server } = createSampleServer()
      const client = await rawClient(server)
      client.send([call(1, 'hang'), call(2, 'count')])
      await client.request('ping')

      client.notify('notifications/cancelled', { requestId: 1 })

      expect(await client.next()).toEqual([said(2, '1')])
      await client.close()
    })

    test('may carry the answers to our questions; what we send is answers only [R0326-01] [R0326-04]', async () => {
      const { server } = createSampleServer()
      server.tool('ask', {}, async (_, context) => {
        await context.progress({ progress: 1 })
        return `${(await context.listRoots()).length} roots`
      })
      const client = await rawClient(server, { capabilities: { roots: {} } })
      const requesting = {
        ...call(1, 'ask'),
        params: { name: 'ask', _meta: { progressToken: 'p' } },
      }
      client.send([requesting, call(2, 'count')])
      const inputRequest = await client.next(({ method }) => method === 'roots/list')

      client.send([{ jsonrpc: '2.0', id: inputRequest.id, result: { roots: [] } }])

      const answers = asBatch(await client.next((message) => Array.isArray(message)))
      expect(answers).toEqual([said(2, '1'), said(1, '0 roots')])
      await client.close()
    })

    test('from a server is taken by our client: answers, notifications and questions [R0326-01]', async () => {
      const received: unknown[] = []
      const server = rawServer({ onLog: ({ data }) => received.push(data) })
      const client = await server.accept()
      const calls = [client.callTool('a'), client.callTool('b')]
      const [first, second] = [await server.expect('tools/call'), await server.expect('tools/call')]

      server.send([
        { jsonrpc: '2.0', id: second.id, result: { content: [] } },
        { jsonrpc: '2.0', id: first.id, error: { code: 4711, message: 'no' } },
      ])
      await expect(calls[0]).rejects.toMatchObject({ wireCode: 4711 })
      expect(await calls[1]).toEqual({ content: [] })
      server.send([
        { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
        ping('q'),
      ])

      expect(await server.next(Array.isArray)).toEqual([{ jsonrpc: '2.0', id: 'q', result: {} }])
      expect(received).toEqual(['x'])
      await client.close()
    })

    test('of more messages than limits.batchMessages is refused as a whole', async () => {
      const { server, calls } = createSampleServer()
      const client = await rawClient(server, { limits: { batchMessages: 2 } })

      client.send([call(1, 'count'), call(2, 'count'), 3])

      expect((await client.next()).error?.data).toMatchObject({ limit: 'batchMessages', seen: 3 })
      expect(calls.count).toBe(0)
      await client.close()
    })

    test('whose answers are longer than limits.batchBytes has errors for the last', async () => {
      const { server } = createSampleServer()
      server.tool('large', {}, () => 'x'.repeat(600))
      const client = await rawClient(server, { limits: { batchBytes: 1_000 } })

      client.send([call(1, 'large'), call(2, 'large')])

      const [first, second] = asBatch(await client.next())
      expect(first).toMatchObject({ id: 1, result: {} })
      expect(second).toMatchObject({ id: 2, error: { data: { limit: 'batchBytes' } } })
      await client.close()
    })

    test('is one message, and on a stream one line, both ways [R0326-06]', async () => {
      const client = await rawClient(createSampleServer().server)

      // Text is sent as it is; a line break inside would be two lines on a stream.
      client.send(JSON.stringify([ping(1), ping(2)]))

      const answers = asBatch(await client.next())
      expect(answers.map(({ id }) => id)).toEqual([1, 2])
      expect(client.received).toHaveLength(2) // the welcome, and this
      await client.close()
    })
  },
  { revisions: ['2025-03-26'], channels: everyChannel },
)
