import { createServer, type Server } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeMatrix, everyChannel } from '../support/matrix.ts'

function bare(): Server {
  return createServer({ name: 'bare', version: '1.0.0', onError: () => undefined })
}

const methods = {
  tools: ['tools/list', 'tools/call'],
  resources: [
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
  ],
  prompts: ['prompts/list', 'prompts/get'],
} as const

describeMatrix(
  'capabilities of a server',
  ({ revision, rawClient }) => {
    test('are the kinds it has, with what they can do [CAP-03] [ARCH-15]', async () => {
      const server = bare()
      server.tool('tool', {}, () => 'x')
      server.resource('note://{id}', { name: 'note', complete: { id: () => [] } }, () => 'x')
      server.prompt('prompt', {}, () => 'x')

      const client = await rawClient(server)

      expect(client.serverInfo.result?.['capabilities']).toEqual({
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        ...(revision !== '2024-11-05' && { completions: {} }),
        logging: {},
      })
      await client.close()
    })

    test.each(Object.entries(methods))(
      'do not lie: without %s none of its methods exists [ARCH-15] [ARCH-17] [CAP-01]',
      async (_, absent) => {
        const client = await rawClient(bare())

        for (const method of absent) {
          expect((await client.request(method, { name: 'x', uri: 'x://x' })).error).toEqual({
            code: -32601,
            message: `unknown method: ${method}`,
            data: { method },
          })
        }
        await client.close()
      },
    )

    test('hold for the whole session, whatever is added later [ARCH-14] [CAP-05] [LIFE-09] [R0326-13]', async () => {
      const clock = createVirtualClock()
      const server = bare()
      const client = await rawClient(server, { clock })

      server.tool('late', {}, () => 'x')
      server.resource('note://late', { name: 'late' }, () => 'x')
      server.notifyChanged({ uri: 'note://late' })
      await clock.advance(1_000)

      expect(await client.quiet()).toEqual([])
      expect((await client.request('tools/list')).error?.code).toBe(-32601)
      expect((await client.request('tools/call', { name: 'late' })).error?.code).toBe(-32601)
      await client.close()
    })

    test('are announced in advance if the author says so, and changes are told [CAP-05]', async () => {
      const clock = createVirtualClock()
      const server = createServer({ name: 'bare', version: '1.0.0', declares: ['tools'] })
      const client = await rawClient(server, { clock })

      server.tool('late', {}, () => 'x')
      await clock.advance(1_000)

      expect(await client.quiet()).toEqual([
        { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
      ])
      await client.close()
    })

    test('of a client may have keys nobody knows [CAP-04] [BASE-23]', async () => {
      const client = await rawClient(bare(), {
        capabilities: {
          experimental: { 'com.example/x': { a: 1 } },
          'com.example/y': true,
          roots: { listChanged: true, other: 1 },
        },
      })

      expect(client.serverInfo).toHaveProperty('result')
      await client.close()
    })

    test('of a client decide what it is asked: without them nothing is sent [ARCH-18] [LIFE-09] [LIFE-17] [CAP-01]', async () => {
      const server = bare()
      const outcomes: unknown[] = []
      server.tool('ask', {}, async (_, context) => {
        for (const requesting of [
          () => context.sample({ messages: [], maxTokens: 1 }),
          () => context.listRoots(),
          () =>
            context.elicit({ message: 'x', requestedSchema: { type: 'object', properties: {} } }),
        ]) {
          outcomes.push(
            await requesting().then(
              () => 'asked',
              (error: unknown) => (error as { code: string }).code,
            ),
          )
        }
        return 'done'
      })
      const client = await rawClient(server, { capabilities: {} })

      await client.request('tools/call', { name: 'ask' })

      expect(outcomes).toEqual(Array.from({ length: 3 }, () => 'missing_client_capability'))
      expect(client.received.filter(({ method }) => method !== undefined)).toEqual([])
      await client.close()
    })

    test('of a client that are empty objects count [CAP-01] [ARCH-09]', async () => {
      const server = bare()
      server.tool('ask', {}, async (_, context) => `${(await context.listRoots()).length} roots`)
      const client = await rawClient(server, { capabilities: { roots: {} } })

      client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } })
      const inputRequest = await client.next(({ method }) => method === 'roots/list')
      client.send({ jsonrpc: '2.0', id: inputRequest.id, result: { roots: [] } })

      expect((await client.next()).result).toEqual({ content: [{ type: 'text', text: '0 roots' }] })
      await client.close()
    })

    test('of resources come before their updates [ARCH-16]', async () => {
      const server = bare()
      server.resource('note://one', { name: 'one' }, () => 'x')
      const client = await rawClient(server)

      server.notifyChanged({ uri: 'note://one' })
      expect(await client.quiet()).toEqual([])
      await client.request('resources/subscribe', { uri: 'note://one' })
      server.notifyChanged({ uri: 'note://one' })

      expect(await client.quiet()).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/resources/updated',
          params: { uri: 'note://one' },
        },
      ])
      await client.close()
    })
  },
  { channels: everyChannel },
)

describeMatrix(
  'capabilities of a client',
  ({ revision, rawServer }) => {
    test('are what it was given to answer with, and no others [CAP-02] [CAP-06] [ARCH-19]', async () => {
      const plain = rawServer()
      const full = rawServer({
        elicit: () => ({ action: 'cancel' }),
        sample: () => {
          throw new Error('refused')
        },
        roots: [],
        experimental: { 'com.example/x': {} },
      })

      const clients = [await plain.accept(), await full.accept()]

      const declared = [plain, full].map(({ received }) => received[0]?.params?.['capabilities'])
      expect(declared).toEqual([
        {},
        {
          elicitation: { form: {}, url: {} },
          sampling: {},
          roots: { listChanged: true },
          experimental: { 'com.example/x': {} },
        },
      ])
      for (const client of clients) await client.close()
    })

    test('of a server decide what is asked of it: nothing is sent for what it lacks [LIFE-09] [LIFE-17] [CAP-01]', async () => {
      const server = rawServer()
      const client = await server.accept({ capabilities: {} })
      await server.expect('notifications/initialized')

      for (const [capability, requesting] of [
        ['tools', () => client.listTools().toArray()],
        ['tools', () => client.callTool('x')],
        ['resources', () => client.listResources().toArray()],
        ['resources', () => client.readResource('x://x')],
        ['prompts', () => client.getPrompt('x')],
        ['logging', () => client.setLoggingLevel('info')],
        [
          'completions',
          () => client.complete({ type: 'ref/prompt', name: 'x' }, { name: 'a', value: '' }),
        ],
      ] as const) {
        await expect(requesting()).rejects.toMatchObject({
          code: 'unsupported',
          details: { capability },
        })
      }

      expect(await server.quiet()).toEqual([])
      await client.close()
    })

    test('are not used before the server offers its own: listening asks for nothing it lacks [CAP-05] [ARCH-10]', async () => {
      const server = rawServer()
      const client = await server.accept({ capabilities: { tools: {}, resources: {} } })
      await server.expect('notifications/initialized')

      const subscription = await client.listen({
        toolsListChanged: true,
        resourceSubscriptions: ['note://one'],
      })

      expect(subscription.accepted).toEqual({})
      expect(await server.quiet()).toEqual([])
      await client.close()
    })

    test('bring each notification to who listens for it [ARCH-09] [ARCH-10]', async () => {
      const server = rawServer()
      const client = await server.accept({ capabilities: { tools: { listChanged: true } } })
      const subscription = await client.listen({ toolsListChanged: true })

      server.send({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' })
      server.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })

      const { value } = await subscription[Symbol.asyncIterator]().next()
      expect(value).toEqual({ type: 'tools' })
      expect(client.negotiated.revision).toBe(revision)
      await client.close()
    })

    test('let messages cross in both directions, each to who waits for it, also under equal ids [ARCH-09]', async () => {
      const received: unknown[] = []
      const server = rawServer({
        roots: [{ uri: 'file:///a' }],
        onLog: ({ data }) => received.push(data),
      })
      const client = await server.accept()
      const said = (text: string) => ({ content: [{ type: 'text', text }] })
      const calls = [client.callTool('first'), client.callTool('second')]
      const first = await server.expect('tools/call')
      const second = await server.expect('tools/call')

      server.send({ jsonrpc: '2.0', id: first.id, method: 'roots/list' })
      server.send({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'error', data: 'meanwhile' },
      })
      server.send({ jsonrpc: '2.0', id: second.id, result: said('second') })
      const answer = await server.next(({ id, method }) => id === first.id && method === undefined)
      server.send({ jsonrpc: '2.0', id: first.id, result: said('first') })

      expect(answer.result).toEqual({ roots: [{ uri: 'file:///a' }] })
      expect(await Promise.all(calls)).toEqual([said('first'), said('second')])
      expect(received).toEqual(['meanwhile'])
      await client.close()
    })

    test('with keys nobody knows do not break the handshake [CAP-04] [BASE-23]', async () => {
      const server = rawServer()

      const client = await server.accept({
        capabilities: { tools: { other: 1 }, tasks: { anything: true } },
        serverInfo: { name: 'raw', version: '1', colour: 'blue' },
      })

      expect(client.server.capabilities.tools).toBeDefined()
      await client.close()
    })
  },
  { channels: everyChannel },
)
