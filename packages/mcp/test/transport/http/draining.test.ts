import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { describeEntries, initialize, openEndpoint, ping } from '../../support/http-endpoint.ts'
import { createSampleServer } from '../../support/sample-server.ts'

describeEntries('draining', (entry) => {
  test('takes nothing new, finishes what runs, and says when to come back', async () => {
    const { server, release } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()
    const calling = endpoint.call('hang', { session })
    await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(1))
    const listening = await endpoint.listen(session)

    const draining = endpoint.service.drain()
    const rejected = [
      await endpoint.call('count', { session, id: 2 }),
      await endpoint.post(initialize()),
      await endpoint.ask({ headers: { accept: 'text/event-stream', 'mcp-session-id': session } }),
    ]
    const health = endpoint.service.health()
    release()

    expect(rejected.map(({ status }) => status)).toEqual([503, 503, 503])
    expect(rejected[0]?.headers.get('retry-after')).toBe('5')
    expect(await rejected[0]?.json()).toMatchObject({
      id: 2,
      error: { data: { reason: 'overloaded' } },
    })
    expect(health).toEqual({
      ready: false,
      sessions: 1,
      streams: 1,
      inFlight: 1,
      usedBytes: expect.any(Number),
    })
    expect((await calling).status).toBe(200)
    expect(await draining).toEqual({ finished: 1, aborted: 0 })
    expect(await listening.rest()).toEqual([{ retry: '1000' }])
    expect(endpoint.service.health()).toEqual({
      ready: false,
      sessions: 0,
      streams: 0,
      inFlight: 0,
      usedBytes: 0,
    })
  })

  test('still takes the answers that running calls wait for', async () => {
    const { server } = createSampleServer()
    server.tool('ask', {}, async (_, context) => `${(await context.listRoots()).length} roots`)
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open({ capabilities: { roots: {} } })
    const { eventsOf } = await import('../../support/http-endpoint.ts')
    const events = eventsOf(await endpoint.call('ask', { session }))
    const inputRequest = await events.message()

    const draining = endpoint.service.drain()
    const taken = await endpoint.post(
      { jsonrpc: '2.0', id: inputRequest.id, result: { roots: [] } },
      { session },
    )

    expect(taken.status).toBe(202)
    expect(await events.message()).toMatchObject({ result: {} })
    expect(await draining).toEqual({ finished: 1, aborted: 0 })
  })

  test('aborts what is left at the deadline, and answers it', async () => {
    const clock = createVirtualClock()
    const { server, aborted } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock })
    const session = await endpoint.open()
    const calling = endpoint.call('hang', { session })
    await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(1))

    const draining = endpoint.service.drain({ deadlineMs: 1_000 })
    await clock.advance(1_000)

    expect((await calling).status).toBe(503)
    expect(await draining).toEqual({ finished: 0, aborted: 1 })
    expect(aborted).toMatchObject([{ details: { by: 'drain' } }])
  })

  test('a question is taken back on the stream it was asked on', async () => {
    const clock = createVirtualClock()
    const { server } = createSampleServer()
    server.tool('ask', {}, async (_, context) => `${(await context.listRoots()).length} roots`)
    await using endpoint = await openEndpoint(entry, server, { clock, limits: { inputMs: 5_000 } })
    const session = await endpoint.open({ capabilities: { roots: {} } })
    const listening = await endpoint.listen(session)
    const { eventsOf, messagesOf } = await import('../../support/http-endpoint.ts')
    const events = eventsOf(await endpoint.call('ask', { session }))
    const inputRequest = await events.message()

    await clock.advance(5_000)

    const messages = messagesOf(await events.rest())
    expect(messages).toMatchObject([
      { method: 'notifications/cancelled', params: { requestId: inputRequest.id } },
      { id: 1 },
    ])
    await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
    expect(await listening.rest()).toEqual([])
    expect((await endpoint.post(ping(1), { session })).status).toBe(404)
  })
})
