import { describe, expect, test, vi } from 'vitest'

import { openCluster, type HttpCluster } from '../../support/http-cluster.ts'
import { eventsOf, messagesOf, type Events } from '../../support/http-endpoint.ts'

const meta = { progressToken: 'p' }
const lost = (id: number, retryable = false) => ({
  jsonrpc: '2.0',
  id,
  error: {
    code: -32603,
    message: 'the process that worked on this request is gone',
    data: { reason: 'node_lost', retryable },
  },
})

/** The rest of a stream that ends within some heartbeats. */
async function restOf({ clock }: HttpCluster, events: Events) {
  let isOver = false
  const rest = events.rest().finally(() => (isOver = true))
  while (!isOver) {
    await clock.advance(3_000)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return rest
}

/** A tool that sends one event and is never heard of again. */
function addStall({ servers: { a } }: HttpCluster, annotations = {}): void {
  a.server.tool('stall', { annotations }, async (_, context) => {
    context.signal.addEventListener('abort', () => a.aborted.push(context.signal.reason))
    await context.progress({ progress: 1 })
    await new Promise(() => undefined)
    return 'never'
  })
}

/** Starts a call at one process, and reads its first event. */
async function begin({ a }: HttpCluster, session: string, name: string) {
  const cut = new AbortController()
  const first = await eventsOf(await a.call(name, { session, meta, signal: cut.signal })).next()
  cut.abort()
  await vi.waitFor(() => expect(a.service.health().streams).toBe(0))
  return { 'last-event-id': first?.id ?? '' }
}

describe.each(['near', 'far'] as const)('processes with a store that is %s', (distance) => {
  test('end the stream of one that is lost, once, and fence it when it comes back', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, step, servers, logs } = cluster
    const session = await a.open()
    const cut = new AbortController()
    const calling = a.call('walk', { session, meta, signal: cut.signal })
    await step(2)
    const opened = eventsOf(await calling)
    const first = await opened.next()
    const position = opened.seen[0]?.id ?? ''
    cut.abort()
    const resumed = await b.listen(session, { headers: { 'last-event-id': first?.id ?? '' } })
    expect(await resumed.message()).toMatchObject({ params: { progress: 2 } })

    logs.lost.add('a')
    const rest = await restOf(cluster, resumed)
    await step()
    await vi.waitFor(() => expect(servers.a.aborted).toHaveLength(1))
    logs.lost.delete('a')
    const again = await b.listen(session, { headers: { 'last-event-id': position } })
    const all = await again.rest()

    expect(messagesOf(rest)).toEqual([lost(1)])
    expect(servers.a.aborted).toMatchObject([{ details: { by: 'fenced' } }])
    expect(all.map(({ id }) => id?.split('_')[1])).toEqual(['1', '2', '3'])
    expect(all.at(-1)).toEqual(rest.at(-1))
    expect(messagesOf(all).filter(({ id }) => id === 1)).toHaveLength(1)
    expect(b.service.health().streams).toBe(0)
  })

  test.each([
    [{}, false],
    [{ destructiveHint: false }, false],
    [{ idempotentHint: true }, true],
    [{ readOnlyHint: true }, true],
  ])('say whether a tool with %o may be called again', async (annotations, retryable) => {
    await using cluster = await openCluster(distance)
    const { a, b, logs } = cluster
    addStall(cluster, annotations)
    const session = await a.open()
    const headers = await begin(cluster, session, 'stall')

    logs.lost.add('a')
    const resumed = await b.listen(session, { headers })

    expect(messagesOf(await resumed.rest())).toEqual([lost(1, retryable)])
  })

  test('answer what is open of a batch, and nothing twice', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, step, logs } = cluster
    addStall(cluster)
    const session = await a.open({ revision: '2025-03-26' })
    const call = (id: number, name: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, ...(id === 2 && { _meta: meta }) },
    })
    const calls = [call(1, 'walk'), call(2, 'stall'), call(3, 'stall')]
    const opened = eventsOf(await a.post(calls, { session }))
    await opened.next()
    const position = opened.seen[0]?.id ?? ''
    await step(5)
    expect(await opened.message()).toMatchObject({ id: 1, result: {} })

    logs.lost.add('a')
    const resumed = await b.listen(session, { headers: { 'last-event-id': position } })
    const all = messagesOf(await resumed.rest())

    expect(all.map(({ id }) => id)).toEqual([undefined, 1, 2, 3])
    expect(all.slice(2)).toEqual([lost(2), lost(3)])
  })

  test('go on with a stream that belongs to no call', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, clock, servers, logs } = cluster
    const session = await a.open()
    const listening = await a.listen(session)
    servers.a.server.tool('new', {}, () => 'x')
    await clock.advance(100)
    const told = await listening.next()

    logs.lost.add('a')
    const resumed = await b.listen(session, { headers: { 'last-event-id': told?.id ?? '' } })
    servers.b.server.prompt('new', {}, () => 'x')
    const methods: unknown[] = []
    void (async () => {
      for (;;) methods.push((await resumed.message()).method)
    })().catch(() => undefined) // until the endpoint closes

    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect(methods).toContain('notifications/prompts/list_changed')
    })
  })

  test('tell a client whose events the store has lost, wherever it reads', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, step, servers, logs } = cluster
    addStall(cluster)
    const session = await a.open()
    const headers = await begin(cluster, session, 'stall')
    const elsewhere = await b.listen(session, { headers })
    const walking = a.call('walk', { session, meta, id: 2 })
    await step()
    const here = eventsOf(await walking)
    await here.next()
    await new Promise((resolve) => setTimeout(resolve, 5))

    logs.lose()
    await step()
    const received = [await here.rest(), await restOf(cluster, elsewhere)]

    const closed = 'what was sent for this request is no longer kept'
    expect(received.map(messagesOf)).toMatchObject([
      [{ id: 2, error: { message: closed, data: { reason: 'node_lost', retryable: false } } }],
      [{ id: 1, error: { message: closed, data: { reason: 'node_lost', retryable: false } } }],
    ])
    expect(servers.a.aborted).toMatchObject([{ details: { by: 'fenced' } }])
    const unknown = await b.ask({
      headers: { ...headers, accept: 'text/event-stream', 'mcp-session-id': session },
    })
    expect(unknown.status).toBe(400)
  })
})
