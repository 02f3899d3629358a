import { expect, test } from 'vitest'

import { createServer } from '../../src/server/create-server.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { legacyRevisions } from '../../src/wire/revisions.ts'
import { createEverything } from '../support/everything.ts'
import { describeMatrix } from '../support/matrix.ts'

describeMatrix('a revision', ({ revision, connect, rawClient, rawServer }) => {
  test('is echoed by the server if it speaks it, whatever carries it [XREV-02, XREV-13, DEC-10]', async () => {
    const client = await rawClient(createEverything())

    expect(client.serverInfo.result?.['protocolVersion']).toBe(revision)
    await client.close()
  })

  test.each(['2024-10-07', '2099-01-01', 'latest', ''])(
    'that nobody speaks, %j, is answered with the newest [XREV-02, DEC-02]',
    async (unknown) => {
      const client = await rawClient(createEverything(), { revision: unknown })

      expect(client.serverInfo.result?.['protocolVersion']).toBe(legacyRevisions[0])
      await client.close()
    },
  )

  test('is offered as the newest by the client, and taken as any it speaks [XREV-03]', async () => {
    const server = rawServer()

    const client = await server.accept()
    const calling = client.callTool('hello')
    await server.answer('tools/call', { content: [{ type: 'text', text: 'hello' }] })

    expect(server.received[0]?.params?.['protocolVersion']).toBe(legacyRevisions[0])
    expect(client.negotiated.revision).toBe(revision)
    expect((await calling).content).toEqual([{ type: 'text', text: 'hello' }])
    await client.close()
  })

  test('takes properties from the client that it does not have [XREV-04, DEC-21]', async () => {
    const client = await rawClient(createEverything(), {
      capabilities: { tools: {}, elicitation: { url: {} }, tasks: { list: {} } },
    })

    client.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      _meta: { progressToken: 'misplaced' }, // belongs inside params
      trace: 'abc',
      params: { name: 'work', title: 'Work', arguments: {}, task: { ttl: 1 } },
    })
    const { result } = await client.next(({ id }) => id === 1)

    expect(result).toEqual({ content: [{ type: 'text', text: 'done' }] })
    expect(client.received.map(({ method }) => method)).not.toContain('notifications/progress')
    await client.close()
  })

  test('takes properties from the server that it does not have, and shows them [XREV-04, DEC-09, DEC-22]', async () => {
    const server = rawServer()
    const client = await server.accept({
      serverInfo: { name: 's', version: '1', title: 'S', icons: [{ src: 'https://a.example' }] },
      capabilities: { prompts: {}, resources: {}, sampling: {}, brandNew: {} },
    })

    const prompts = client.listPrompts().toArray()
    const argument = { name: 'code', title: 'Code', type: 'string' }
    await server.answer('prompts/list', {
      prompts: [{ name: 'review', title: 'Review', arguments: [argument] }],
      ttlMs: 5,
    })
    const reading = client.readResource('a:b')
    const contents = [{ uri: 'a:b', text: '', name: 'b', title: 'B' }]
    await server.answer('resources/read', { contents })

    expect(client.server.info?.title).toBe('S')
    expect(await prompts).toEqual([{ name: 'review', title: 'Review', arguments: [argument] }])
    expect(await reading).toEqual({ contents })
    await client.close()
  })

  test('is 2025-03-26 if and only if it takes arrays [XREV-11, R1105B-01]', async () => {
    const client = await rawClient(createEverything())

    client.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }])
    const answer: unknown = await client.next()

    if (revision === '2025-03-26') {
      expect(answer).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    } else {
      expect(answer).toMatchObject({ error: { code: -32600 } })
    }
    await client.close()
  })

  test('takes no array before it is agreed [XREV-11]', async () => {
    const client = await rawClient(createEverything(), { silent: true })

    client.send([{ jsonrpc: '2.0', id: 1, method: 'ping' }])

    expect(await client.next()).toMatchObject({ error: { code: -32600 } })
    await client.close()
  })

  test('answers the same questions in the same way [XREV-17, R1105B-02, R1105B-14]', async () => {
    const server = createServer({ name: 'same', version: '1.0.0', pageSize: 1 })
    for (const name of ['a', 'b']) server.tool(name, {}, (_, { log }) => (log('info', name), name))
    server.resource('notes://{id}', { name: 'note' }, ({ id }) => id)
    server.prompt('hello', {}, () => 'hello')
    const client = await rawClient(server)

    const page = await client.request('tools/list')
    const cursor = page.result?.['nextCursor']
    const answers = [
      await client.request('ping'),
      await client.request('tools/list', { cursor }),
      await client.request('tools/list', { cursor: 'mine' }),
      await client.request('resources/templates/list'),
      await client.request('resources/subscribe', { uri: 'notes://1' }),
      await client.request('resources/unsubscribe', { uri: 'notes://1' }),
      await client.request('logging/setLevel', { level: 'error' }),
      await client.request('tools/call', { name: 'a' }),
      await client.request('tools/call', { name: 'none' }),
      await client.request('prompts/get', { name: 'none' }),
      await client.request('resources/read', { uri: 'other://1' }),
      await client.request('no/such/method'),
    ]

    expect(typeof cursor).toBe('string')
    const inputSchema = { type: 'object', properties: {}, additionalProperties: false }
    expect(answers.map(({ result, error }) => result ?? error?.code)).toEqual([
      {},
      { tools: [{ name: 'b', inputSchema }] },
      -32602,
      { resourceTemplates: [{ uriTemplate: 'notes://{id}', name: 'note' }] },
      {},
      {},
      {},
      { content: [{ type: 'text', text: 'a' }] },
      -32602,
      -32602,
      -32002,
      -32601,
    ])
    expect(client.received.map(({ method }) => method)).not.toContain('notifications/message')
    await client.close()
  })

  test.each(['ping', 'tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    'takes %s with and without params [SCH-27]',
    async (method) => {
      const client = await rawClient(createEverything())

      const without = await client.request(method)
      const withEmpty = await client.request(method, {})
      const withMeta = await client.request(method, { _meta: { 'com.example/a': 1 } })

      expect(without.result).toBeDefined()
      expect(withEmpty.result).toEqual(without.result)
      expect(withMeta.result).toEqual(without.result)
      await client.close()
    },
  )

  test.each([undefined, {}, { _meta: {} }])(
    'takes notifications and roots/list with params %j [SCH-27]',
    async (params) => {
      const server = rawServer({ roots: ['/a'] })
      const client = await server.accept({ capabilities: { tools: { listChanged: true } } })
      const subscription = await client.listen({ toolsListChanged: true })
      const extra = params && { params }

      server.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', ...extra })
      server.send({ jsonrpc: '2.0', id: 1, method: 'roots/list', ...extra })

      const changes = subscription[Symbol.asyncIterator]()
      expect((await changes.next()).value).toEqual({ type: 'tools' })
      expect((await server.next(({ id }) => id === 1)).result).toEqual({
        roots: [{ uri: 'file:///a' }],
      })
      await client.close()
    },
  )

  test('always has the media type of what is embedded, and needs none [DEC-07, R0326S-10]', async () => {
    const server = createServer({ name: 'plain', version: '1.0.0' }) // declares no resources
    const resource = { uri: 'made up', text: 'x' }
    server.tool('embed', {}, () => ({ type: 'resource', resource }))
    const said = { role: 'user' as const, content: { type: 'resource' as const, resource } }
    server.prompt('one', {}, () => said)
    server.prompt('many', {}, () => [said])
    server.prompt('all', {}, () => ({ messages: [said] }))
    const client = await rawClient(server)
    const block = { type: 'resource', resource: { ...resource, mimeType: 'text/plain' } }
    const { result } = await client.request('tools/call', { name: 'embed' })
    expect(result?.['content']).toEqual([block])
    for (const name of ['one', 'many', 'all']) {
      const prompt = await client.request('prompts/get', { name })
      expect(prompt.result?.['messages']).toEqual([{ role: 'user', content: block }])
    }
    await client.close()

    const other = rawServer()
    const reader = await other.accept()
    const calling = reader.callTool('embed')
    await other.answer('tools/call', { content: [{ type: 'resource', resource }] })
    expect((await calling).content).toEqual([{ type: 'resource', resource }])
    await reader.close()
  })

  test('carries text of every script unharmed [R1105B-03]', async () => {
    const server = createServer({ name: 'echo', version: '1.0.0' })
    const text = 'ß 日本 🎉 \u2028 \u0000 "quoted"'
    server.tool('echo', {}, () => text)
    await using client = await connect(server)

    expect((await client.callTool('echo')).content).toEqual([{ type: 'text', text }])
  })

  test('has limits for every request, the first included [R0326S-12, R1105B-11]', async () => {
    const clock = createVirtualClock()
    const silent = rawServer({ clock })
    await silent.expect('initialize')
    await clock.advance(30_000)
    await expect(silent.client).rejects.toMatchObject({
      code: 'timeout',
      details: { limit: 'connect', ms: 30_000 },
    })

    const server = rawServer({ clock })
    const client = await server.accept()
    const reading = client.readResource('a:b').catch((error: unknown) => error)
    await server.expect('resources/read')
    await clock.advance(300_000)
    expect(await reading).toMatchObject({ code: 'timeout', details: { limit: 'idle' } })
    await client.close()
  })
})
