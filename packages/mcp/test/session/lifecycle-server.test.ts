import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { legacyRevisions } from '../../src/wire/revisions.ts'
import { describeMatrix, everyChannel } from '../support/matrix.ts'
import { createSampleServer } from '../support/sample-server.ts'

const newest = '2025-11-25'
const clientInfo = { name: 'raw', version: '1.0.0' }

describeMatrix(
  'a session on our server',
  ({ revision, rawClient }) => {
    test('begins with initialize: nothing else but ping is answered before [LIFE-01] [PING-01]', async () => {
      const { server, calls } = createSampleServer()
      const client = await rawClient(server, { silent: true })

      expect(await client.request('ping', undefined, 1)).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {},
      })
      for (const method of ['tools/list', 'tools/call', 'resources/list', 'none']) {
        expect(await client.request(method, { name: 'count' }, 2)).toEqual({
          jsonrpc: '2.0',
          id: 2,
          error: { code: -32600, message: `${method} before initialize: initialize first` },
        })
      }

      expect(calls.count).toBe(0)
      await client.close()
    })

    test('can still be opened after requests that came too early', async () => {
      const client = await rawClient(createSampleServer().server, { silent: true })
      await client.request('tools/list')

      const { result } = await client.request('initialize', {
        protocolVersion: revision,
        capabilities: {},
        clientInfo,
      })

      expect(result?.['protocolVersion']).toBe(revision)
      await client.close()
    })

    test('is opened once: a second initialize is refused and changes nothing [DEC-25] [LIFE-08]', async () => {
      const client = await rawClient(createSampleServer().server)
      const other = legacyRevisions.find((spoken) => spoken !== revision)

      const again = await client.request(
        'initialize',
        { protocolVersion: other, capabilities: { sampling: {} }, clientInfo },
        9,
      )

      expect(again).toEqual({
        jsonrpc: '2.0',
        id: 9,
        error: { code: -32600, message: 'this session is initialized already' },
      })
      const { result } = await client.request('tools/call', { name: 'count' })
      expect(result).toEqual({ content: [{ type: 'text', text: '1' }] })
      await client.close()
    })

    test('cannot be cancelled while it opens [CANC-03] [CANC-07]', async () => {
      const client = await rawClient(createSampleServer().server, { silent: true })
      client.send({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: revision, capabilities: {}, clientInfo },
      })
      client.notify('notifications/cancelled', { requestId: 1 })

      const answer = await client.next()

      expect(answer).toMatchObject({ id: 1, result: { protocolVersion: revision } })
      await client.close()
    })

    test.each(['1999-01-01', '2099-01-01', 'latest', `${newest} `, '', newest.slice(0, 7)])(
      'counters a version it does not speak, %j, with its latest [VER-04] [VER-05] [VER-08] [LIFE-16] [DEC-02] [DEC-10]',
      async (protocolVersion) => {
        const client = await rawClient(createSampleServer().server, { revision: protocolVersion })

        expect(client.serverInfo.result?.['protocolVersion']).toBe(newest)
        await client.close()
      },
    )

    test.each([{}, { protocolVersion: 5 }, { protocolVersion: null }])(
      'refuses a version that is missing or no text, %j [DEC-02]',
      async (given) => {
        const client = await rawClient(createSampleServer().server, { silent: true })

        const answer = await client.request(
          'initialize',
          { capabilities: {}, clientInfo, ...given },
          1,
        )

        expect(answer).toEqual({
          jsonrpc: '2.0',
          id: 1,
          error: { code: -32602, message: 'initialize: protocolVersion: a string' },
        })
        expect((await client.request('ping')).result).toEqual({})
        await client.close()
      },
    )

    test('is refused a revision it was told not to speak [VER-07] [LIFE-08]', async () => {
      const client = await rawClient(createSampleServer().server, {
        revision,
        revisions: ['2024-11-05'],
      })

      expect(client.serverInfo.result?.['protocolVersion']).toBe('2024-11-05')
      await client.close()
    })

    test('hears nothing but answers and log messages before initialized [LIFE-06] [DEC-18]', async () => {
      const clock = createVirtualClock()
      const server = createServer({ name: 'eager', version: '1.0.0', onError: () => undefined })
      server.tool('eager', {}, async (_, context) => {
        context.log('info', 'logged')
        await context.progress({ progress: 1 })
        return context.listRoots().then(
          () => 'asked',
          () => 'not asked',
        )
      })
      const client = await rawClient(server, { silent: true, clock })
      await client.request('initialize', {
        protocolVersion: revision,
        capabilities: { roots: {}, sampling: {}, elicitation: {} },
        clientInfo,
      })

      const calling = client.request('tools/call', {
        name: 'eager',
        _meta: { progressToken: 1 },
      })
      server.tool('late', {}, () => 'late')
      const { result } = await calling
      await clock.advance(1_000)

      expect(result).toEqual({ content: [{ type: 'text', text: 'not asked' }] })
      const methods = client.received.flatMap(({ method }) =>
        method === undefined ? [] : [method],
      )
      expect(methods).toEqual(['notifications/message'])
      await client.close()
    })

    test('completes with a client that can do nothing [BASE-01] [CAP-01]', async () => {
      const client = await rawClient(createServer({ name: 'bare', version: '1.0.0' }))

      expect(client.serverInfo.result).toEqual({
        protocolVersion: revision,
        capabilities: { logging: {} },
        serverInfo: { name: 'bare', version: '1.0.0' },
      })
      expect((await client.request('ping')).result).toEqual({})
      await client.close()
    })

    test('says how to use the server [LIFE-07]', async () => {
      const server = createServer({ name: 'bare', version: '1.0.0', instructions: 'Ask nicely.' })
      const client = await rawClient(server)

      expect(client.serverInfo.result?.['instructions']).toBe('Ask nicely.')
      await client.close()
    })

    test('ends when the channel does, and work is aborted [LIFE-10] [CANC-05]', async () => {
      const { server, aborted } = createSampleServer()
      const client = await rawClient(server)
      client.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'hang' } })
      await client.request('ping')

      await client.close()
      await client.service.closed

      expect(aborted).toEqual([
        expect.objectContaining({ code: 'cancelled', details: { by: 'disconnect' } }),
      ])
    })
  },
  { channels: everyChannel },
)
