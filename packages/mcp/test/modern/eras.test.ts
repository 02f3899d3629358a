import type { Revision } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { describeEntries, initialize } from '../support/http-endpoint.ts'
import { everyChannel } from '../support/matrix.ts'
import { describeStandalone } from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'
import { eventually } from '../support/network.ts'
import type { RawChannel } from '../support/raw-channel.ts'

const removed = [
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/result',
  'tasks/list',
]
const handshakes = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
const newFields = ['resultType', 'ttlMs', 'cacheScope']

function createBoth(): Server {
  const server = createServer({
    name: 'both',
    version: '1',
    onError: () => undefined,
    cache: { ttlMs: 1_000, scope: 'public' },
  })
  server.tool('ask', {}, async (_, context) => {
    const requestedSchema = { type: 'object', properties: { a: { type: 'string' } } } as const
    const answer = await context.elicit({ message: 'Sure?', requestedSchema })
    return `${context.revision} ${answer.action}`
  })
  server.tool('revision', {}, (_, { revision }) => revision)
  server.resource('notes://1', {}, () => 'note')
  server.prompt('p', {}, () => 'p')
  return server
}

/** Sends as a client of sessions does. */
async function old(channel: RawChannel, id: string, method: string, params: object = {}) {
  channel.send({ jsonrpc: '2.0', id, method, params })
  return channel.next((message) => message.id === id && message.method === undefined)
}

function hello(revision: string, capabilities: object = {}): object {
  const clientInfo = { name: 'old', version: '1' }
  return { protocolVersion: revision, capabilities, clientInfo }
}

describeStandalone(
  'both eras on one channel',
  ({ open }) => {
    test.each(handshakes)(
      'do not disturb each other: %s beside 2026-07-28 [N07-COMP-07]',
      async (revision) => {
        const client = await open(createBoth())
        const text = async (answer: Promise<{ result?: unknown }>) =>
          (await answer) as { result: { content: [{ text: string }] } }

        const before = await text(client.request('tools/call', { name: 'revision' }))
        const opened = await old(client, 'i', 'initialize', hello(revision))
        client.notify('notifications/initialized')
        const between = await text(client.request('tools/call', { name: 'revision' }))
        const session = await text(old(client, 's', 'tools/call', { name: 'revision' }))
        const after = await text(client.request('tools/call', { name: 'revision' }))

        expect(opened.result).toMatchObject({ protocolVersion: revision })
        for (const { result } of [before, between, after]) {
          expect(result).toMatchObject({
            resultType: 'complete',
            content: [{ text: '2026-07-28' }],
          })
        }
        expect(session.result).toEqual({ content: [{ type: 'text', text: revision }] })
      },
    )

    test('questions take the way of the request they belong to [N07-COMP-07, N07-DIR-01]', async () => {
      const client = await open(createBoth())
      await old(client, 'i', 'initialize', hello('2025-06-18', { elicitation: {} }))
      client.notify('notifications/initialized')

      const session = old(client, 's', 'tools/call', { name: 'ask' })
      const inputRequest = await client.next(({ method }) => method === 'elicitation/create')
      const modern = await client.request(
        'tools/call',
        { name: 'ask' },
        { capabilities: { elicitation: {} } },
      )
      client.send({ jsonrpc: '2.0', id: inputRequest.id, result: { action: 'decline' } })

      expect(modern.result).toMatchObject({ resultType: 'input_required' })
      expect((await session).result).toEqual({
        content: [{ type: 'text', text: '2025-06-18 decline' }],
      })
    })

    test('what a session may do does not count for a request that stands for itself [N07-STATE-01]', async () => {
      const client = await open(createBoth())
      await old(client, 'i', 'initialize', hello('2025-06-18', { elicitation: {} }))
      client.notify('notifications/initialized')

      const { error } = await client.request('tools/call', { name: 'ask' })

      expect(error).toMatchObject({ code: -32021 })
    })

    test('changes are told to a session as ever, and to others only where they listen [N07-COMP-07]', async () => {
      const server = createBoth()
      const client = await open(server)
      await client.request('server/discover')
      const other = await open(server)
      await old(other, 'i', 'initialize', hello('2025-11-25'))
      other.notify('notifications/initialized')
      await old(other, 'p', 'ping')
      server.notifyChanged('tools')
      await other.next() // is told, so all are who are to be
      await client.quiet()
      expect(client.received).toHaveLength(1)

      await old(client, 'i', 'initialize', hello('2025-11-25'))
      client.notify('notifications/initialized')
      await old(client, 'p', 'ping')
      server.notifyChanged('tools')

      expect(await client.next()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/tools/list_changed',
      })
    })

    test.each(handshakes)(
      'nothing of the new one is in what a session of %s hears [N07-COMP-09]',
      async (revision) => {
        const client = await open(createBoth())
        await old(client, 'i', 'initialize', hello(revision))
        client.notify('notifications/initialized')

        await old(client, '1', 'tools/list')
        await old(client, '2', 'resources/list')
        await old(client, '3', 'resources/read', { uri: 'notes://1' })
        await old(client, '4', 'prompts/get', { name: 'p' })
        await old(client, '5', 'resources/read', { uri: 'none://1' })
        await old(client, '6', 'server/discover')
        await old(client, '7', 'subscriptions/listen', { notifications: {} })

        for (const { result } of client.received) {
          for (const field of newFields) expect(result ?? {}).not.toHaveProperty(field)
          expect(result ?? {}).not.toHaveProperty('_meta')
        }
        const codes = client.received.flatMap(({ error }) => error?.code ?? [])
        expect(codes).toEqual([-32002, -32601, -32601])
      },
    )
  },
  everyChannel,
)

describeStandalone('what is no more', ({ open }) => {
  test.each(removed)('%s is unknown in 2026-07-28 [N07-REM-01]', async (method) => {
    const client = await open(createBoth())
    const params = { ...hello('2025-11-25'), level: 'info', uri: 'notes://1', taskId: 't' }

    expect((await client.request(method, params)).error).toMatchObject({ code: -32601 })
  })
})

describe('a switch', () => {
  describeStandalone('for revisions', ({ open }) => {
    test('refuses a handshake and says what is spoken instead [N07-COMP-08, N07-T-04]', async () => {
      const client = await open(createBoth(), { revisions: ['2026-07-28'] })

      const { error } = await client.request('initialize', hello('2025-11-25'), { bare: true })

      expect(error).toMatchObject({
        code: -32022,
        message: expect.stringContaining('2026-07-28') as string,
        data: { supported: ['2026-07-28'], requested: '2025-11-25' },
      })
      expect((await client.request('tools/list')).result).toBeDefined()
    })

    test('refuses requests that stand for themselves', async () => {
      const revisions: Revision[] = ['2025-11-25', '2025-06-18']
      const client = await open(createBoth(), { revisions })

      const first = await client.request('tools/list')
      const opened = await old(client, 'i', 'initialize', hello('2026-07-28'))

      expect(first.error).toBeDefined()
      expect(first.error?.code).not.toBe(-32022)
      expect(opened.result).toMatchObject({ protocolVersion: '2025-11-25' })
    })
  })
})

describeEntries('both eras on one URL', (entry) => {
  test.each(handshakes)(
    'do not disturb each other: %s beside 2026-07-28 [N07-COMP-07]',
    async (revision) => {
      await using endpoint = await openStandaloneEndpoint(entry, createBoth())
      const call = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'revision' } }

      const before = await endpoint.ask2026('tools/call', { name: 'revision' })
      const session = await endpoint.open({ revision })
      const [inside, beside, within] = await Promise.all([
        endpoint.post(call, { session, headers: { 'mcp-protocol-version': revision } }),
        endpoint.ask2026('tools/call', { name: 'revision' }),
        endpoint.ask2026(
          'tools/call',
          { name: 'revision' },
          { headers: { 'mcp-session-id': session } },
        ),
      ])

      expect(await inside.json()).toEqual({
        jsonrpc: '2.0',
        id: 5,
        result: { content: [{ type: 'text', text: revision }] },
      })
      for (const { result } of [before, beside, within]) {
        expect(result).toMatchObject({ resultType: 'complete', content: [{ text: '2026-07-28' }] })
      }
      expect(endpoint.service.health().sessions).toBe(1)
    },
  )

  test.each(removed)('%s is not found in 2026-07-28 [N07-REM-01]', async (method) => {
    await using endpoint = await openStandaloneEndpoint(entry, createBoth())
    const params = { ...hello('2025-11-25'), level: 'info', uri: 'notes://1', taskId: 't' }

    expect(await endpoint.ask2026(method, params)).toMatchObject({
      status: 404,
      error: { code: -32601 },
    })
  })

  test('where only one is served, a handshake is told so, with or without its header [N07-COMP-08, N07-T-04]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createBoth(), {
      revisions: ['2026-07-28'],
    })

    for (const headers of [{}, { 'mcp-protocol-version': '2025-11-25' }]) {
      const response = await endpoint.post(initialize('2025-11-25'), { headers })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        id: 0,
        error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
      })
    }
  })

  test('a handshake that names the new one in its header is malformed', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createBoth())
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'initialize' }

    const response = await endpoint.post(initialize('2025-11-25'), { headers })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ id: 0, error: { code: -32602 } })
  })

  test('where only the other is served, a request that stands for itself gets no answer of its kind', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createBoth(), {
      revisions: ['2025-11-25'],
    })

    const answer = await endpoint.ask2026('server/discover')

    expect(answer.status).toBe(400)
    expect(answer.error?.code).not.toBe(-32022)
  })

  test('a session ends when its stream does not, a request ends with its stream [N07-CANC-02, N07-COMP-09]', async () => {
    const aborted: string[] = []
    const server = createBoth()
    let begun = 0
    server.tool('wait', {}, async (_, context) => {
      begun += 1
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
      aborted.push(context.revision)
    })
    await using endpoint = await openStandaloneEndpoint(entry, server)
    const session = await endpoint.open({ revision: '2025-11-25' })
    const hangUp = new AbortController()
    const { signal } = hangUp
    const calls = [
      endpoint.call('wait', { session, signal }),
      endpoint.send('tools/call', { name: 'wait' }, { signal }),
    ]
    for (const call of calls) call.catch(() => undefined) // hung up on
    await eventually(() => expect(begun).toBe(2))

    hangUp.abort()

    await eventually(() => expect(aborted).toEqual(['2026-07-28']))
    expect(endpoint.service.health().inFlight).toBe(1)
  })
})
