import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { describeEntries, messagesOf, openEndpoint } from '../../support/http-endpoint.ts'
import { createSampleServer } from '../../support/sample-server.ts'

const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

describeEntries('a GET', (entry) => {
  test('opens a stream for what belongs to no call [HGET-03] [HGET-04] [HGET-05]', async () => {
    const clock = createVirtualClock()
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock })
    const session = await endpoint.open()
    const events = await endpoint.listen(session)

    server.tool('new', {}, () => 'x')
    await clock.advance(100)

    expect(events.response.status).toBe(200)
    expect(events.response.headers.get('content-type')).toBe('text/event-stream')
    expect(await events.message()).toEqual(changed)
  })

  test('never carries the answer to a call [HGET-06]', async () => {
    const clock = createVirtualClock()
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock })
    const session = await endpoint.open()
    const events = await endpoint.listen(session)

    await (await endpoint.call('count', { session })).text()
    server.tool('new', {}, () => 'x')
    await clock.advance(100)
    await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })

    expect(messagesOf(await events.rest())).toEqual([changed])
  })

  test('twice gives two streams, and each message goes on one of them [HMULTI-01] [HMULTI-02]', async () => {
    const clock = createVirtualClock()
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock })
    const session = await endpoint.open()
    const [first, second] = [await endpoint.listen(session), await endpoint.listen(session)]

    server.tool('new', {}, () => 'x')
    await clock.advance(100)
    await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })

    const all = [...(await first.rest()), ...(await second.rest())]
    expect(messagesOf(all)).toEqual([changed])
  })

  test('that was closed leaves its messages to the one still open [HGET-07] [HGET-08] [HMULTI-02]', async () => {
    const clock = createVirtualClock()
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock })
    const session = await endpoint.open()
    const first = await endpoint.listen(session)
    const leave = new AbortController()
    const second = await endpoint.listen(session, { signal: leave.signal })
    leave.abort()
    await second.rest().catch(() => undefined) // cut by us
    await vi.waitFor(() => expect(endpoint.service.health().streams).toBe(1))

    server.tool('new', {}, () => 'x')
    await clock.advance(100)

    expect(await first.message()).toEqual(changed)
  })

  test('is closed by a newer one when a client has too many', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open()
    const first = await endpoint.listen(session)

    for (let count = 0; count < 16; count += 1) await endpoint.listen(session)

    expect(await first.rest()).toEqual([])
    expect(endpoint.service.health().streams).toBe(16)
  })

  test('tells who follows a resource, and nobody else [HMULTI-02]', async () => {
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server)
    const [a, b] = [await endpoint.open(), await endpoint.open()]
    const [ofA, ofB] = [await endpoint.listen(a), await endpoint.listen(b)]
    const subscribe = { uri: 'note://one' }
    const request = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: subscribe }
    await (await endpoint.post(request, { session: a })).text()

    server.notifyChanged({ uri: 'note://one' })
    for (const session of [a, b]) {
      await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
    }

    expect(messagesOf(await ofA.rest())).toMatchObject([{ params: { uri: 'note://one' } }])
    expect(await ofB.rest()).toEqual([])
  })

  test('without a way to read events is refused [HGET-02]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open()

    const { status } = await endpoint.ask({
      headers: { accept: 'application/json', 'mcp-session-id': session },
    })

    expect(status).toBe(406)
  })

  test('gets comments while nothing else is said', async () => {
    const clock = createVirtualClock()
    const { server } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock, keepAliveMs: 1_000 })
    const session = await endpoint.open()
    const events = await endpoint.listen(session)
    await clock.advance(900)
    server.tool('new', {}, () => 'x')
    await clock.advance(800) // a message at 950: no comment before 1 950

    await clock.advance(300)
    await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
    await events.rest()

    expect(
      events.seen.map(({ comment, data }) => comment ?? (data ? 'message' : 'position')),
    ).toEqual(['position', 'message', 'keep-alive'])
  })

  test.each(['PUT', 'PATCH', 'HEAD'])(
    'is not %s, which is refused with what there is',
    async (method) => {
      await using endpoint = await openEndpoint(entry, createSampleServer().server)

      const response = await endpoint.ask({ method })

      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, POST, DELETE, OPTIONS')
    },
  )
})

describeEntries('keepAliveMs: 0', (entry) => {
  test('sends no comments, and lets a call be answered in JSON however long it takes', async () => {
    const clock = createVirtualClock()
    const { server, calls, release } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock, keepAliveMs: 0 })
    const session = await endpoint.open()
    const events = await endpoint.listen(session)
    const calling = endpoint.call('hang', { session })
    await vi.waitFor(() => expect(calls.hang).toBe(1))

    await clock.advance(60_000)
    release()
    const answer = await calling
    await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
    await events.rest()

    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(events.seen.filter(({ comment }) => comment !== undefined)).toEqual([])
  })
})
