import { connect, type ConnectOptions } from '@parley/mcp/client'
import { describe, expect, test, vi } from 'vitest'

import { legacyRevisions } from '../../../src/wire/revisions.ts'
import {
  asStream,
  openScriptedServer,
  progress,
  result,
  said,
  serverInfo,
  type Reply,
  type Script,
} from './scripted-server.ts'

/** What a tool was called with; each test knows its own. */
function argumentsOf({ message: { params } }: Reply): unknown {
  return params?.['arguments'] ?? {}
}

describe.each<[string, ConnectOptions]>([
  ["Node's agent", {}],
  ['fetch', { fetch: globalThis.fetch }],
])('over HTTP by %s', (_, options) => {
  test('every message is a POST of its own, one message each [HPOST-01] [HPOST-03]', async () => {
    await using server = await openScriptedServer()
    await using client = await connect(server.url, options)

    await client.ping()
    await client.callTool('do', { deep: [1] })

    expect(server.seen.map(({ verb, message }) => [verb, message.method])).toEqual([
      ['POST', 'server/discover'], // which it does not know
      ['POST', 'initialize'],
      ['POST', 'notifications/initialized'],
      ['POST', 'ping'],
      ['POST', 'tools/call'],
    ])
    expect(server.seen.every(({ message }) => !Array.isArray(message))).toBe(true)
    expect(client.negotiated.transport).toBe('http')
  })

  test('reads events of the name message alone, or of none [DEC-24]', async () => {
    const log = (data: string) =>
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'error', data },
      })
    const named = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`
    await using server = await openScriptedServer({
      GET(reply) {
        const events = reply.stream()
        events.raw(named('update', log('of another name')) + named('message', log('of a session')))
      },
      'tools/call'(reply) {
        const { id } = reply.message
        const events = reply.stream()
        events.raw(named('update', JSON.stringify(result(id, said('wrong')))))
        events.raw(named('ping', log('of another name')))
        events.raw(named('message', log('of a call')))
        events.event(result(id, said('right')))
        events.end()
      },
    })
    const received: unknown[] = []
    await using client = await connect(server.url, {
      ...options,
      protocolVersion: 'legacy',
      onLog: ({ data }) => received.push(data),
    })

    expect(await client.callTool('do')).toEqual(said('right'))
    await expect.poll(() => received.length).toBe(2)
    expect(new Set(received)).toEqual(new Set(['of a call', 'of a session']))
  })

  test('accepts JSON and event streams, and says that it sends JSON [HPOST-02]', async () => {
    await using server = await openScriptedServer()
    await using client = await connect(server.url, options)

    await client.ping()

    for (const { headers } of server.seen) {
      expect(headers.accept).toBe('application/json, text/event-stream')
      expect(headers['content-type']).toBe('application/json')
    }
  })

  test.each<[string, (value: object) => Script]>([
    ['JSON', (value) => (reply) => reply.json(value)],
    ['a stream', asStream],
  ])('takes every answer as %s [HPOST-08]', async (_kind, answer) => {
    await using server = await openScriptedServer({
      initialize: answer(serverInfo),
      'tools/list': answer({ tools: [{ name: 'do', inputSchema: { type: 'object' } }] }),
      'tools/call': answer(said('done')),
    })
    await using client = await connect(server.url, options)

    const [tool] = await client.listTools().toArray()

    expect(tool?.name).toBe('do')
    expect(await client.callTool('do')).toEqual(said('done'))
  })

  test('sends the session id with everything after initialize: POST, GET and DELETE [HSESS-04]', async () => {
    await using server = await openScriptedServer({
      initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': 's-1~' }),
    })
    const client = await connect(server.url, { ...options, onLog: () => undefined })
    await server.until('GET')
    await client.ping()
    await client.close()

    const [probe, hello, ...later] = server.seen
    expect(probe?.message.method).toBe('server/discover')
    expect(probe?.headers['mcp-session-id']).toBeUndefined()
    expect(hello?.headers['mcp-session-id']).toBeUndefined()
    expect(later.map(({ verb }) => verb).toSorted()).toEqual(['DELETE', 'GET', 'POST', 'POST'])
    expect(new Set(later.map(({ headers }) => headers['mcp-session-id']))).toEqual(
      new Set(['s-1~']),
    )
  })

  test.each(legacyRevisions)(
    'says after initialize that it speaks %s, with every request [HVER-01] [HVER-02] [VER-10] [XREV-13]',
    async (protocolVersion) => {
      await using server = await openScriptedServer({
        initialize: (reply) =>
          reply.json({ ...serverInfo, protocolVersion }, { 'mcp-session-id': 's' }),
      })
      const client = await connect(server.url, { ...options, onLog: () => undefined })
      await server.until('GET')
      await client.close()

      const [probe, hello, ...later] = server.seen
      expect(probe?.headers['mcp-protocol-version']).toBe('2026-07-28')
      expect(hello?.headers['mcp-protocol-version']).toBeUndefined()
      expect(later.map(({ verb, message }) => message.method ?? verb).toSorted()).toEqual([
        'DELETE',
        'GET',
        'notifications/initialized',
      ])
      for (const { headers } of later) {
        expect(headers['mcp-protocol-version']).toBe(protocolVersion)
      }
    },
  )

  test('learns the version and the session from a stream too [HVER-02] [HSESS-04]', async () => {
    await using server = await openScriptedServer({
      initialize(reply) {
        const events = reply.stream({ 'mcp-session-id': 'streamed' })
        events.event(result(reply.message.id, { ...serverInfo, protocolVersion: '2025-03-26' }))
        events.end()
      },
    })
    await using client = await connect(server.url, options)

    await client.ping()

    expect(server.sent('ping')[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2025-03-26',
      'mcp-session-id': 'streamed',
    })
  })

  test('hears what comes before the answer on its stream, and answers questions by POST [HPOST-01] [HPOST-08]', async () => {
    await using server = await openScriptedServer({
      async 'tools/call'({ stream, message }) {
        const events = stream()
        events.event(progress(1, 1)) // not ours: ignored
        events.event(progress(message.id, 1))
        events.event({ jsonrpc: '2.0', id: 'q', method: 'roots/list' })
        const answered = await server.until('POST', 1)
        events.event(result(message.id, said(answered.body)))
        events.end()
      },
    })
    const received: number[] = []
    await using client = await connect(server.url, { ...options, roots: ['file:///here'] })

    const answer = await client.callTool(
      'do',
      {},
      { onProgress: (at) => received.push(at.progress) },
    )

    expect(received).toEqual([1])
    expect(JSON.stringify(answer)).toContain('file:///here')
  })

  test('sends an answer again that the server cannot take now, until it can', async () => {
    const statuses = [503, 503, 202]
    await using server = await openScriptedServer({
      async 'tools/call'({ stream, message }) {
        const events = stream()
        events.event({ jsonrpc: '2.0', id: 'q', method: 'roots/list' })
        const { body } = await server.until('POST', 3)
        events.event(result(message.id, said(body)))
        events.end()
      },
      response: (reply) => reply.status(statuses.shift() ?? 202, '', { 'retry-after': '0.01' }),
    })
    await using client = await connect(server.url, { ...options, roots: ['file:///here'] })

    const answer = await client.callTool('do', {})

    expect(JSON.stringify(answer)).toContain('file:///here')
    expect(new Set(server.sent('POST').map(({ body }) => body)).size).toBe(1)
  })

  test.each([
    ['says when', { 'retry-after': '0.01' }, 9],
    ['does not say when', {}, 1],
  ])('gives an answer up if the server never takes it and %s', async (_wish, headers, times) => {
    const onError = vi.fn()
    await using server = await openScriptedServer({
      async 'tools/call'({ stream }) {
        stream().event({ jsonrpc: '2.0', id: 'q', method: 'roots/list' })
      },
      response: (reply) => reply.status(503, '', headers),
    })
    const roots = ['file:///here']
    await using client = await connect(server.url, { ...options, roots, onError })
    const calling = client.callTool('do', {}).catch(() => undefined) // nobody answers it

    await vi.waitFor(() => expect(onError).toHaveBeenCalled())
    await client.close()
    await calling

    expect(server.sent('POST')).toHaveLength(times)
    expect(onError).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringContaining('503') as string }),
      expect.objectContaining({ operation: 'response' }),
    )
  })

  test('carries a message of 1 MiB and every character both ways', async () => {
    const text = `${'lörge 😀 '.repeat(2 ** 17)}\n\r\u2028"\\`
    await using server = await openScriptedServer({
      'tools/call': (reply) => reply.json(said((argumentsOf(reply) as { text: string }).text)),
      'resources/read'(reply) {
        const contents = [{ uri: 'a:b', text }]
        asStream({ contents })(reply)
      },
    })
    await using client = await connect(server.url, options)

    expect(await client.callTool('echo', { text })).toEqual(said(text))
    expect(await client.readResource('a:b')).toEqual({ contents: [{ uri: 'a:b', text }] })
  })

  test("sends the user's headers with everything, but not in place of the protocol's", async () => {
    await using server = await openScriptedServer()
    const headers = { 'X-Team': 'blue', Accept: 'text/html', 'Mcp-Session-Id': 'forged' }
    await using client = await connect(
      { url: server.url, headers: { 'x-from': 'entry' } },
      { ...options, headers },
    )

    await client.ping()

    for (const seen of server.seen) {
      expect(seen.headers).toMatchObject({ 'x-team': 'blue', 'x-from': 'entry' })
      expect(seen.headers.accept).toBe('application/json, text/event-stream')
    }
  })

  test('many calls at once each get their own answer [HMULTI-01]', async () => {
    await using server = await openScriptedServer({
      'tools/call'(reply) {
        const { n } = argumentsOf(reply) as { n: number }
        setTimeout(() => (n % 2 ? reply.json : answerLater)(said(`${n}`)), (n * 7) % 20)
        function answerLater(value: object): void {
          asStream(value)(reply)
        }
      },
    })
    await using client = await connect(server.url, options)

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_unused, n) => client.callTool('n', { n })),
    )

    expect(answers).toEqual(answers.map((_unused, n) => said(`${n}`)))
  })
})

test('takes batches where the revision has them, as JSON and as events [R0326-09] [R0326-10] [R0326-11]', async () => {
  const log = {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: 1 },
  }
  const logged: unknown[] = []
  await using server = await openScriptedServer({
    initialize: (reply) => reply.json({ ...serverInfo, protocolVersion: '2025-03-26' }),
    'tools/list': (reply) => reply.status(200, [log, result(reply.message.id, { tools: [] })]),
    'tools/call'(reply) {
      const events = reply.stream()
      events.event([log, log])
      events.event([log, result(reply.message.id, said('batched'))])
      events.end()
    },
  })
  await using client = await connect(server.url, { onLog: ({ data }) => logged.push(data) })

  expect(await client.listTools().toArray()).toEqual([])
  expect(await client.callTool('do')).toEqual(said('batched'))
  expect(logged).toEqual([1, 1, 1, 1])
})

test('answers a batch of questions with one array of answers [R0326-07]', async () => {
  await using server = await openScriptedServer({
    initialize: (reply) => reply.json({ ...serverInfo, protocolVersion: '2025-03-26' }),
    async 'tools/call'(reply) {
      const events = reply.stream()
      events.event([
        { jsonrpc: '2.0', id: 'a', method: 'ping' },
        { jsonrpc: '2.0', id: 'b', method: 'ping' },
      ])
      await server.until('POST', 1)
      events.event(result(reply.message.id, said('done')))
      events.end()
    },
  })
  await using client = await connect(server.url)

  await client.callTool('do')

  expect(JSON.parse(server.sent('POST')[0]?.body ?? '')).toEqual([
    { jsonrpc: '2.0', id: 'a', result: {} },
    { jsonrpc: '2.0', id: 'b', result: {} },
  ])
})

test('nothing overtakes initialized, however slow that is', async () => {
  const order: string[] = []
  await using server = await openScriptedServer({
    'notifications/initialized': (reply) =>
      setTimeout(() => {
        order.push('initialized answered')
        reply.status(202)
      }, 50),
    ping(reply) {
      order.push('ping')
      reply.json({})
    },
    GET(reply) {
      order.push('GET')
      reply.status(405)
    },
  })
  await using client = await connect(server.url, { onLog: () => undefined })

  await client.ping()
  await server.until('GET')

  expect(order[0]).toBe('initialized answered')
  expect(order).toHaveLength(3)
})

test('cancels by notification, and then lets go of the answer [HPOST-16]', async () => {
  let onClosed = (): void => {}
  const closed = new Promise<void>((resolve) => (onClosed = resolve))
  await using server = await openScriptedServer({
    'tools/call': ({ response }) => void response.once('close', onClosed),
  })
  await using client = await connect(server.url)
  const controller = new AbortController()
  const calling = client.callTool('slow', {}, { signal: controller.signal })
  const outcome = calling.catch((error: unknown) => error)
  const call = await server.until('tools/call')

  controller.abort(new Error('enough'))

  expect(await outcome).toEqual(new Error('enough'))
  const notice = await server.until('notifications/cancelled')
  expect(notice.message.params).toMatchObject({ requestId: call.message.id })
  await closed
  await client.ping()
})
