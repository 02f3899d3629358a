import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test, vi } from 'vitest'

import { definitionOf } from '../../../src/server/server.ts'
import { RequestCaller } from '../../../src/transport/http/admitted-request.ts'
import {
  createClusterMessages,
  type Forward,
} from '../../../src/transport/http/cluster/messages.ts'
import { createSsePosts, type SsePosts } from '../../../src/transport/http/cluster/sse-posts.ts'
import { openCluster, type HttpCluster } from '../../support/http-cluster.ts'
import {
  eventsOf,
  initialize,
  ping,
  type Endpoint,
  type Events,
} from '../../support/http-endpoint.ts'
import { createMessageHub } from '../../support/message-hub.ts'
import { as, nameGuard } from '../../support/name-guard.ts'

const accept = { accept: 'text/event-stream' }
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }

interface Connected {
  readonly events: Events
  readonly path: string
}

async function connect(
  endpoint: Endpoint,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Connected> {
  const response = await endpoint.ask({
    path: '/mcp/sse',
    headers: { ...accept, ...headers },
    ...(signal && { signal }),
  })
  const events = eventsOf(response)
  return { events, path: (await events.next())?.data ?? '' }
}

/** Lets time pass until it is answered: messages from far away are heard with the next heartbeat. */
async function answered(cluster: HttpCluster, requesting: Promise<Response>): Promise<Response> {
  let isOver = false
  void requesting.finally(() => (isOver = true))
  while (!isOver) {
    await cluster.clock.advance(100)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return requesting
}

function callTool(id: number, name: string): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } }
}

describe.each(['near', 'far'] as const)('HTTP+SSE over processes that are %s', (distance) => {
  test('what is posted to any process is answered on the stream [R1105-05]', async () => {
    await using cluster = await openCluster(distance, { legacySse: true })
    const { a, b } = cluster
    const { events, path } = await connect(a)

    const taken = await answered(cluster, b.post(initialize('2024-11-05'), { path }))
    const serverInfo = await events.message()
    await answered(cluster, b.post(initialized, { path }))
    await answered(cluster, b.post(callTool(2, 'who'), { path }))
    const result = await events.message()

    expect([taken.status, await taken.text()]).toEqual([202, ''])
    expect(serverInfo).toMatchObject({ result: { protocolVersion: '2024-11-05' } })
    expect(result).toMatchObject({ id: 2, result: { content: [{ type: 'text' }] } })
    expect(a.service.health().sessions).toBe(1)
    expect(b.service.health().sessions).toBe(0)
  })

  test('only its own caller can post to a stream, at any process, and nobody else is told of it', async () => {
    await using cluster = await openCluster(distance, { legacySse: true, auth: nameGuard })
    const { a, b, hub } = cluster
    const { path } = await connect(a, as('ada'))
    const before = hub.said.length
    const forged = path.replace(/(?<=sessionId=.{40})./, (letter) => (letter === 'A' ? 'B' : 'A'))
    const guessed = `/mcp/message?sessionId=a.${'0'.repeat(64)}`

    const statuses = [
      await b.post(ping(1), { path, headers: as('bob') }),
      await b.post(ping(1), { path: forged, headers: as('ada') }),
      await b.post(ping(1), { path: guessed, headers: as('ada') }),
      await b.post(ping(1), { path }),
    ].map(({ status }) => status)

    expect(statuses).toEqual([404, 404, 404, 401])
    expect(hub.said).toHaveLength(before)
  })

  test('what the guard verified at one process counts at the other, and no credential travels', async () => {
    await using cluster = await openCluster(distance, { legacySse: true, auth: nameGuard })
    const { a, b, hub } = cluster
    cluster.servers.a.server.tool(
      'secret',
      { scopes: ['read'] },
      (_, { auth }) => auth?.subject ?? '',
    )
    const { events, path } = await connect(a, as('ada'))
    await answered(cluster, b.post(initialize('2024-11-05'), { path, headers: as('ada') }))
    await events.message()
    await answered(cluster, b.post(initialized, { path, headers: as('ada') }))

    await answered(cluster, b.post(callTool(2, 'secret'), { path, headers: as('ada') }))
    const rejected = await until(events, 2)
    await answered(cluster, b.post(callTool(3, 'secret'), { path, headers: as('ada+read') }))
    const allowed = await until(events, 3)

    expect(rejected).toHaveProperty('error')
    expect(allowed).toMatchObject({ result: { content: [{ text: 'ada' }] } })
    expect(JSON.stringify(hub.said)).not.toContain('Bearer')
  })

  test('a stream that has ended is not found at any process [R1105-08]', async () => {
    await using cluster = await openCluster(distance, { legacySse: true })
    const { a, b } = cluster
    const leave = new AbortController()
    const { path } = await connect(a, {}, leave.signal)
    leave.abort()
    await vi.waitFor(() => expect(a.service.health().sessions).toBe(0))

    const late = await answered(cluster, b.post(ping(1), { path }))

    expect(late.status).toBe(404)
  })

  test('a stream whose process is gone is said so, in time', async () => {
    await using cluster = await openCluster(distance, { legacySse: true })
    const { a, b } = cluster
    const { path } = await connect(a)
    await a.service.drain({ deadlineMs: 0 })

    const late = await answered(cluster, b.post(ping(1), { path }))

    expect(late.status).toBe(503)
    expect(await late.text()).toContain('does not answer')
  })
})

/** The answer to a request, past what else the stream brings. */
async function until(events: Events, id: number): Promise<unknown> {
  for (;;) {
    const message = await events.message()
    if ((message as { id?: unknown }).id === id) return message
  }
}

test('a post that comes twice is taken once', async () => {
  await using cluster = await openCluster('near', { legacySse: true })
  const { a, b, hub, clock } = cluster
  const { events, path } = await connect(a)
  await b.post(initialize('2024-11-05'), { path })
  await events.message()
  await b.post(ping(2), { path })
  const said = hub.said.filter(({ type }) => type === 'sse-posted')

  for (const message of said) await hub.connect('c').send('a', message)
  await clock.advance(10_000)
  await b.post(ping(3), { path })

  expect(await events.message()).toMatchObject({ id: 2 })
  expect(await events.message()).toMatchObject({ id: 3 })
})

test('hears from the process of the stream that there is no room for more', async () => {
  const clock = createVirtualClock()
  const hub = createMessageHub(clock)
  const definition = definitionOf(createServer({ name: 'full', version: '1' }))
  const open = (node: string): SsePosts => {
    const messages = hub.connect(node)
    const onError = (error: unknown) => expect.unreachable(String(error))
    const mail = createClusterMessages({ node, messages, heartbeatMs: 3_000 }, { clock, onError })
    const forward: Forward = (_, type, message, to) => mail.send(type, message, to)
    const cluster = { secrets: () => ['a secret of thirty-two characters'], heartbeatMs: 3_000 }
    const service = { clock, definition, onError }
    return createSsePosts({ service, cluster, messages: mail, forward }, () =>
      Promise.resolve('full'),
    )
  }
  const [here, there] = [open('a'), open('b')]
  const id = await there.nameFor('')

  const handing = here.forward({ id, text: '{}' }, new RequestCaller(undefined, '', undefined))

  await expect(handing).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
})
