import { createServer, type Server, type ServerExtension } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { describeEntries, eventsOf } from '../support/http-endpoint.ts'
import { everyChannel, openServed } from '../support/matrix.ts'
import {
  describeStandalone,
  envelope,
  openStandaloneClient,
  type StandaloneClient,
} from '../support/modern-client.ts'
import { openStandaloneEndpoint } from '../support/modern-http.ts'
import { eventually } from '../support/network.ts'
import type { Raw } from '../support/raw-channel.ts'

const subscriptionId = 'io.modelcontextprotocol/subscriptionId'
const all = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['notes://1'],
}
const direct = ['memory', 'text', 'stdio'] as const

function createChanging(): Server {
  const server = createServer({ name: 'changes', version: '1', onError: () => undefined })
  server.tool('talk', {}, async (_, context) => {
    context.log('error', 'a log')
    await context.progress({ progress: 1 })
    server.notifyChanged('tools')
    return 'talked'
  })
  server.prompt('p', {}, () => 'p')
  server.resource('notes://{id}', {}, () => 'note')
  return server
}

function announceAll(server: Server): void {
  server.notifyChanged('tools')
  server.notifyChanged('prompts')
  server.notifyChanged('resources')
  server.notifyChanged({ uri: 'notes://1' })
  server.notifyChanged({ uri: 'notes://2' })
}

/** Opens one by hand; what comes of it is read by its id. */
function listen(client: StandaloneClient, id: string | number, notifications: unknown): void {
  const params = { notifications, _meta: envelope() }
  client.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params })
}

function idOf({ params, result }: Raw): unknown {
  const { _meta } = (params ?? result ?? {}) as { _meta?: Record<string, unknown> }
  return _meta?.[subscriptionId]
}

const of = (id: string | number) => (message: Raw) => idOf(message) === id

describeStandalone('listening', ({ open }) => {
  test.each([undefined, null, [], { toolsListChanged: 1 }, { resourceSubscriptions: 'notes://1' }])(
    'needs a filter: %j is none [N07-SUB-01]',
    async (notifications) => {
      const client = await open(createChanging())

      const { error } = await client.request('subscriptions/listen', { notifications })

      expect(error).toMatchObject({ code: -32602 })
    },
  )

  test.each(['L1', 7, '7'])(
    'begins with what is accepted, then tells it, under the id %j [N07-SUB-02, N07-SUB-03, N07-SUB-10]',
    async (id) => {
      const server = createChanging()
      const client = await open(server)

      listen(client, id, all)
      announceAll(server)
      const first = await client.next(of(id))
      announceAll(server)
      const told = [
        await client.next(of(id)),
        await client.next(of(id)),
        await client.next(of(id)),
        await client.next(of(id)),
      ]

      expect(first).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: all, _meta: { [subscriptionId]: id } },
      })
      expect(told.map(({ method = '' }) => method).toSorted()).toEqual([
        'notifications/prompts/list_changed',
        'notifications/resources/list_changed',
        'notifications/resources/updated',
        'notifications/tools/list_changed',
      ])
      expect(told.find(({ params }) => params && 'uri' in params)?.params).toEqual({
        uri: 'notes://1',
        _meta: { [subscriptionId]: id },
      })
      expect(await client.quiet()).toEqual([])
    },
  )

  test('is acknowledged before anything is told that changes while it is opened [N07-SUB-02]', async () => {
    const hasty: ServerExtension = {
      id: 'com.example/hasty',
      '~server': {
        async listen(_filter, _call, notify) {
          notify('notifications/com.example/hasty', { at: 'once' })
          announceAll(server)
          await untilIdle()
          return { accepted: {}, [Symbol.dispose]: () => undefined }
        },
      },
    }
    const server = createServer({ name: 'hasty', version: '1', extensions: [hasty] })
    server.tool('t', {}, () => 't')
    const visible = async (): Promise<boolean> => {
      announceAll(server)
      await untilIdle()
      return true
    }
    server.resource('notes://{id}', { visible }, () => 'note')
    const client = await open(server)

    listen(client, 'L', all)
    const told = [await client.next(of('L')), await client.next(of('L'))]

    expect(told.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/com.example/hasty',
    ])
  })

  test.each<[object, string[]]>([
    [{}, []],
    [{ toolsListChanged: false, promptsListChanged: true }, ['notifications/prompts/list_changed']],
    [{ toolsListChanged: true }, ['notifications/tools/list_changed']],
    [{ resourcesListChanged: true }, ['notifications/resources/list_changed']],
    [{ resourceSubscriptions: ['notes://1'] }, ['notifications/resources/updated']],
    [{ resourceSubscriptions: ['notes://3'] }, []],
    [{ resourceSubscriptions: [] }, []],
  ])('tells nothing but what was asked for: %j [N07-SUB-04]', async (filter, expected) => {
    const server = createChanging()
    const client = await open(server)
    listen(client, 'L', filter)
    await client.next(of('L'))
    listen(client, 'all', all) // is told after the first, at the same time
    await client.next(of('all'))

    announceAll(server)
    const told = await Promise.all(expected.map(() => client.next(of('L'))))
    for (let count = 0; count < 4; count += 1) await client.next(of('all'))

    expect(told.map(({ method }) => method)).toEqual(expected)
    expect(await client.quiet()).toEqual([])
  })

  test('what is not offered, or not there, is left out of what is accepted [N07-SUB-05]', async () => {
    const server = createServer({ name: 'tools only', version: '1' })
    server.tool('t', {}, () => 't')
    const toolsOnly = await open(server)
    listen(toolsOnly, 'L', all)
    const withResources = await open(createChanging())
    listen(withResources, 'L', { resourceSubscriptions: ['notes://1', 'other://1'] })

    expect((await toolsOnly.next()).params?.['notifications']).toEqual({ toolsListChanged: true })
    expect((await withResources.next()).params?.['notifications']).toEqual({
      resourceSubscriptions: ['notes://1'],
    })
  })

  test('of many URIs makes the values of a server once, and of one that is mounted there', async () => {
    const made: string[] = []
    const app = (name: string) => () => void made.push(name)
    const inner = createServer({ name: 'inner', version: '1', app: app('inner') })
    inner.resource('inner://{id}', {}, () => 'inner')
    const outer = createServer({ name: 'outer', version: '1', app: app('outer') })
    outer.resource('outer://{id}', {}, () => 'outer')
    outer.mount('inner', inner)
    const client = await open(outer)
    const uris = Array.from({ length: 20 }, (_, at) => `${at % 2 ? 'inner' : 'outer'}://${at}`)

    listen(client, 'many', { resourceSubscriptions: uris })
    const { params } = await client.next(of('many'))

    expect(params).toMatchObject({ notifications: { resourceSubscriptions: uris } })
    expect(made).toEqual(['outer', 'inner'])
  })

  test('of more URIs than a caller may follow is refused before any is looked up', async () => {
    let lookups = 0
    const server = createServer({ name: 'notes', version: '1' })
    server.resource('notes://{id}', { visible: () => (lookups += 1) > 0 }, () => 'note')
    const client = await open(server)
    const resourceSubscriptions = Array.from({ length: 10_001 }, (_, at) => `notes://${at}`)

    listen(client, 'many', { resourceSubscriptions })
    const { error } = await client.next(({ id }) => id === 'many')

    expect(error?.data).toMatchObject({ limit: 'subscriptions', allowed: 10_000 })
    expect(lookups).toBe(0)
  })

  test('several at once each hear their own [N07-SUB-07, N07-SUB-08]', async () => {
    const server = createChanging()
    const client = await open(server)
    listen(client, 'tools', { toolsListChanged: true })
    listen(client, 'note', { resourceSubscriptions: ['notes://1'] })
    listen(client, 'both', { toolsListChanged: true, resourceSubscriptions: ['notes://1'] })
    await Promise.all([client.next(of('tools')), client.next(of('note')), client.next(of('both'))])

    announceAll(server)
    const told = await Promise.all(Array.from({ length: 4 }, () => client.next()))

    expect(told.map((message) => `${String(idOf(message))} ${message.method}`).toSorted()).toEqual([
      'both notifications/resources/updated',
      'both notifications/tools/list_changed',
      'note notifications/resources/updated',
      'tools notifications/tools/list_changed',
    ])
  })

  test('progress and logs of calls do not go there [N07-SUB-09]', async () => {
    const server = createChanging()
    const client = await open(server)
    listen(client, 'L', all)
    await client.next(of('L'))

    const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }
    await client.request('tools/call', { name: 'talk' }, { meta })
    await client.next(of('L'))

    const here = client.received.filter(of('L'))
    expect(here.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ])
    expect(client.received.filter(({ method }) => method === 'notifications/message')).toHaveLength(
      1,
    )
  })

  test('ends with a result of its own when the service does [N07-SUB-12, N07-T-01]', async () => {
    const server = createChanging()
    const client = await open(server)
    listen(client, 'L', all)
    await client.next(of('L'))

    await client.service.drain()

    expect(await client.next(({ id }) => id === 'L')).toMatchObject({
      id: 'L',
      result: { resultType: 'complete', _meta: { [subscriptionId]: 'L' } },
    })
  })
})

describeStandalone(
  'listening on a channel',
  ({ open, channel }) => {
    test('is also withdrawn by the server at its end, and nothing else ever is [N07-SUB-13, N07-T-01]', async () => {
      const server = createChanging()
      const client = await open(server)
      listen(client, 'L', all)
      await client.next(of('L'))
      await client.request('tools/call', { name: 'talk' })

      await client.service.drain()

      await client.quiet()
      const last = client.received.slice(-2)
      expect(last).toMatchObject([
        { id: 'L', result: { resultType: 'complete' } },
        { method: 'notifications/cancelled', params: { requestId: 'L' } },
      ])
      expect(
        client.received.filter(({ method }) => method === 'notifications/cancelled'),
      ).toHaveLength(1)
    })

    test('ends when the client says so, and the server lets go of it [N07-SUB-11]', async () => {
      const stopped = vi.fn()
      const server = createChanging()
      server.resource(
        'watched://1',
        { watch: (_, __, signal) => signal.addEventListener('abort', stopped) },
        () => 'x',
      )
      const client = await open(server)
      listen(client, 'L', { ...all, resourceSubscriptions: ['watched://1'] })
      await client.next(of('L'))

      client.notify('notifications/cancelled', { requestId: 'L' })
      await eventually(() => expect(stopped).toHaveBeenCalledTimes(1))
      listen(client, 'later', all)
      await client.next(of('later'))
      announceAll(server)
      for (let count = 0; count < 4; count += 1) await client.next(of('later'))

      expect(await client.quiet()).toEqual([])
      expect((await client.request('tools/list')).result).toBeDefined()
    })

    test('that is drained while it is still being accepted ends well [N07-SUB-12]', async () => {
      const server = createServer({ name: 'slow', version: '1' })
      let go: (visible: boolean) => void = () => undefined
      const visible = vi.fn(() => new Promise<boolean>((resolve) => (go = resolve)))
      server.resource('notes://1', { visible }, () => 'x')
      const { near, service } = await openServed(channel, server, { revisions: ['2026-07-28'] })
      const client = openStandaloneClient(near)
      listen(client, 'L', { resourceSubscriptions: ['notes://1'] })
      await eventually(() => expect(visible).toHaveBeenCalled())

      const drained = service.drain()
      await untilIdle()
      go(true)

      expect(await drained).toEqual({ finished: 1, aborted: 0 })
      await client.quiet()
      expect(client.received.map(({ id, method }) => id ?? method)).toEqual([
        'notifications/subscriptions/acknowledged',
        'L',
        'notifications/cancelled',
      ])
    })
  },
  everyChannel.filter((channel) => channel === 'custom' || direct.includes(channel as 'memory')),
)

describeEntries('listening over HTTP', (entry) => {
  test('is one stream; closing it ends it, and the server lets go of it [N07-SUB-11]', async () => {
    const stopped = vi.fn()
    const server = createChanging()
    server.resource(
      'watched://1',
      { watch: (_, __, signal) => signal.addEventListener('abort', stopped) },
      () => 'x',
    )
    await using endpoint = await openStandaloneEndpoint(entry, server)
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['watched://1'] }
    const hangUp = new AbortController()
    const { signal } = hangUp
    const events = eventsOf(
      await endpoint.send('subscriptions/listen', { notifications }, { id: 'L', signal }),
    )
    expect(await events.message()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
    })
    expect(endpoint.service.health()).toMatchObject({ streams: 1, inFlight: 1 })

    hangUp.abort()
    await events.rest().catch(() => undefined) // cut off

    await eventually(() => expect(stopped).toHaveBeenCalledTimes(1))
    await eventually(() =>
      expect(endpoint.service.health()).toMatchObject({ streams: 0, inFlight: 0 }),
    )
  })

  test('counts as a session does, and takes no room from calls', async () => {
    const server = createChanging()
    server.tool('plain', {}, () => 'done')
    await using endpoint = await openStandaloneEndpoint(entry, server, {
      limits: { inFlight: 1 },
      maxSessions: 2,
    })
    const hangUp = new AbortController()
    const notifications = { toolsListChanged: true }
    for (const id of ['A', 'B']) {
      const listening = await endpoint.send(
        'subscriptions/listen',
        { notifications },
        { id, signal: hangUp.signal },
      )
      await eventsOf(listening).message()
    }

    const called = await endpoint.ask2026('tools/call', { name: 'plain' })
    const third = await endpoint.ask2026('subscriptions/listen', { notifications })

    expect(called.status).toBe(200)
    expect(third).toMatchObject({
      status: 503,
      error: { message: 'more listeners at once than maxSessions (2) allows' },
    })
    hangUp.abort()
  })

  test('at the end there is the result, and then nothing [N07-SUB-12, N07-T-01]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createChanging())
    const notifications = { toolsListChanged: true }
    const events = eventsOf(
      await endpoint.send('subscriptions/listen', { notifications }, { id: 'L' }),
    )
    await events.message()

    void endpoint.service.drain()
    const rest = await events.rest()

    expect(rest.map(({ data }) => JSON.parse(data ?? '') as Raw)).toMatchObject([
      { id: 'L', result: { resultType: 'complete', _meta: { [subscriptionId]: 'L' } } },
    ])
  })

  test('cannot be for who reads no events [N07-SUB-02]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createChanging())

    const answer = await endpoint.ask2026(
      'subscriptions/listen',
      { notifications: {} },
      { headers: { accept: 'application/json' } },
    )

    expect(answer).toMatchObject({ status: 406, error: { code: -32600 } })
    expect(endpoint.service.health().inFlight).toBe(0)
  })

  test('a silent stream is kept alive by comments [N07-SUB-16]', async () => {
    const clock = createVirtualClock()
    await using endpoint = await openStandaloneEndpoint(entry, createChanging(), {
      clock,
      keepAliveMs: 1_000,
    })
    const notifications = { toolsListChanged: true }
    const response = await endpoint.send('subscriptions/listen', { notifications })
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    await reader?.read()

    await clock.advance(1_000)
    const { value } = (await reader?.read()) ?? {}

    expect(decoder.decode(value as Uint8Array)).toMatch(/^:.*\n\n$/)
    await reader?.cancel()
  })
})
