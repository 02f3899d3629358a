import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { openCluster } from '../../support/http-cluster.ts'
import { eventsOf, messagesOf, ping } from '../../support/http-endpoint.ts'
import { as, nameGuard } from '../../support/name-guard.ts'

const meta = { progressToken: 'p' }
const heartbeatMs = 3_000
const setLevel = { jsonrpc: '2.0', id: 7, method: 'logging/setLevel', params: { level: 'debug' } }
const subscribe = (uri: string, method = 'subscribe') => ({
  jsonrpc: '2.0',
  id: 8,
  method: `resources/${method}`,
  params: { uri },
})

describe.each(['near', 'far'] as const)('processes with a store that is %s', (distance) => {
  test('take the requests of a session, whoever opened it [HSESS-01]', async () => {
    await using cluster = await openCluster(distance)
    const { a, b } = cluster
    const session = await a.open({ capabilities: { roots: {} } })

    const answers = [await a.call('who', { session }), await b.call('who', { session })]

    for (const answer of answers) {
      const { result } = (await answer.json()) as { result: { content: [{ text: string }] } }
      expect(JSON.parse(result.content[0].text)).toEqual({
        name: 'by-hand',
        roots: {},
        sessionId: expect.stringMatching(/^[\w-]{16}$/),
      })
    }
    expect((await b.post(ping(1), { session: 'of nobody' })).status).toBe(404)
  })

  test('open nothing for another principal [SEC-07]', async () => {
    await using cluster = await openCluster(distance, { auth: nameGuard })
    const { a, b } = cluster
    const session = await a.open({ headers: as('ada') })

    const foreign = await b.post(ping(1), { session, headers: as('bob') })
    const own = await b.post(ping(1), { session, headers: as('ada') })

    expect([foreign.status, own.status]).toEqual([404, 200])
  })

  test('ask a client that finished its handshake elsewhere, with numbers of their own', async () => {
    await using cluster = await openCluster(distance)
    const { a, b } = cluster
    const session = await a.open({ capabilities: { roots: {} } })
    const ids: unknown[] = []

    for (const endpoint of [a, b]) {
      const events = eventsOf(await endpoint.call('roots', { session }))
      const inputRequest = await events.message()
      ids.push(inputRequest.id)
      const answer = { jsonrpc: '2.0', id: inputRequest.id, result: { roots: [] } }
      await endpoint.post(answer, { session })
      expect(await events.message()).toMatchObject({ result: { content: [{ text: '0' }] } })
    }

    expect(new Set(ids).size).toBe(2)
  })

  test('go on with a stream that another writes: each event once, then the result [HRES-04]', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, step, clock } = cluster
    const session = await a.open()
    const cut = new AbortController()
    const calling = a.call('walk', { session, meta, signal: cut.signal })
    await step(2)
    const first = await eventsOf(await calling).next()
    cut.abort()

    const resumed = await b.listen(session, { headers: { 'last-event-id': first?.id ?? '' } })
    const before = await resumed.message()
    await step(3)
    await vi.waitFor(() => expect(a.service.health().inFlight).toBe(0))
    const rest = resumed.rest()
    for (let beat = 0; beat < 5; beat += 1) {
      await clock.advance(heartbeatMs)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }

    expect(before.params?.['progress']).toBe(2)
    const messages = messagesOf(await rest)
    expect(messages.map(({ params, id }) => params?.['progress'] ?? id)).toEqual([3, 4, 5, 1])
    expect(b.service.health().streams).toBe(0)
  })

  test('go on with a stream from before its first event, and after it has ended', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, step } = cluster
    const session = await a.open()
    const calling = a.call('walk', { session, meta })
    await step(5)
    const events = eventsOf(await calling)
    const all = await events.rest()
    const resume = async (id = '') =>
      (await b.listen(session, { headers: { 'last-event-id': id } })).rest()

    expect(await resume(events.seen[0]?.id)).toEqual(all)
    expect(await resume(all.at(-2)?.id)).toEqual(all.slice(-1))
    expect(await resume(all.at(-1)?.id)).toEqual([])
  })

  test('do not give up a call whose client reads elsewhere', async () => {
    await using cluster = await openCluster(distance, { detachedMs: 10_000 })
    const { a, b, step, clock } = cluster
    const session = await a.open()
    const cut = new AbortController()
    const calling = a.call('walk', { session, meta, signal: cut.signal })
    await step()
    const first = await eventsOf(await calling).next()
    cut.abort()
    await vi.waitFor(() => expect(a.service.health().streams).toBe(0))
    const leave = new AbortController()
    const headers = { 'last-event-id': first?.id ?? '' }
    await b.listen(session, { headers, signal: leave.signal })

    const passTime = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 1_000) {
        await clock.advance(1_000)
        await new Promise((resolve) => setTimeout(resolve, 3))
      }
    }
    await passTime(40_000)
    expect(cluster.servers.a.aborted).toEqual([])
    leave.abort()
    await vi.waitFor(() => expect(b.service.health().streams).toBe(0))
    await passTime(25_000)

    expect(cluster.servers.a.aborted).toMatchObject([{ details: { by: 'caller' } }])
  })

  test('know what was changed elsewhere: the log level, and what is followed', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, clock, servers } = cluster
    const session = await a.open()
    await (await b.call('who', { session })).text()
    await (await a.post(setLevel, { session })).text()
    await (await a.post(subscribe('note://one'), { session })).text()
    await clock.advance(heartbeatMs)

    const spoken = messagesOf(await eventsOf(await b.call('murmur', { session })).rest())
    const listening = await b.listen(session)
    servers.b.server.notifyChanged({ uri: 'note://one' })
    const told = await listening.message()
    await (await b.post(subscribe('note://one', 'unsubscribe'), { session })).text()
    await clock.advance(heartbeatMs)
    servers.b.server.notifyChanged({ uri: 'note://one' })
    await (await a.call('who', { session })).text()
    const atA = await a.listen(session)
    servers.a.server.notifyChanged({ uri: 'note://one' })
    await b.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
    await clock.advance(2 * heartbeatMs)

    expect(spoken).toMatchObject([{ params: { level: 'debug', data: 'quietly' } }, { id: 1 }])
    expect(told).toMatchObject({ params: { uri: 'note://one' } })
    expect(await listening.rest()).toEqual([])
    expect(await atA.rest()).toEqual([])
  })

  test('change a session at once without losing either change', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, clock } = cluster
    const session = await a.open()
    await (await b.call('who', { session })).text()

    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        const id = 10 + index
        const request = index === 0 ? setLevel : subscribe(`note://one`)
        return (index % 2 === 0 ? a : b).post({ ...request, id }, { session })
      }),
    )
    await clock.advance(heartbeatMs)

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    for (const endpoint of [a, b]) {
      const response = await endpoint.call('murmur', { session })
      expect(messagesOf(await eventsOf(response).rest())).toHaveLength(2)
    }
  })

  test('refuse within a heartbeat what was ended elsewhere, and stop working on it [HSESS-07] [N11-HTTP-10]', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, clock, servers } = cluster
    const session = await a.open()
    const waiting = b.call('hang', { session })
    await vi.waitFor(() => expect(b.service.health().inFlight).toBe(1))
    const listening = await b.listen(session)

    const ended = await a.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
    const atA = await a.post(ping(1), { session })
    await vi.waitFor(async () => {
      await clock.advance(heartbeatMs)
      expect(b.service.health().sessions).toBe(0)
    })
    const atB = await b.post(ping(1), { session })

    expect([ended.status, atA.status, atB.status]).toEqual([204, 404, 404])
    expect((await waiting).status).toBe(404)
    expect(await listening.rest()).toEqual([])
    expect(servers.b.aborted).toMatchObject([{ details: { by: 'session' } }])
    expect(cluster.log.bytes).toBe(0)
  })

  test('leave their sessions to the others when they stop: listening and calls go on there', async () => {
    await using cluster = await openCluster(distance)
    const { a, b, clock } = cluster
    const session = await a.open()
    const listening = await a.listen(session)
    cluster.servers.a.server.tool('new', {}, () => 'x')
    await clock.advance(100)
    const told = await listening.next()

    await a.service.drain({ deadlineMs: 1_000 })
    const headers = { 'last-event-id': told?.id ?? '' }
    const resumed = await b.listen(session, { headers })
    const call = await b.call('who', { session })
    cluster.servers.b.server.tool('newer', {}, () => 'x')
    await clock.advance(100)

    const [released] = await listening.rest()
    expect(Number(released?.retry)).toBeGreaterThanOrEqual(500)
    expect(Number(released?.retry)).toBeLessThanOrEqual(1_001)
    expect(await resumed.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(call.status).toBe(200)
  })

  test('forget what is not used, and take it up again, until it has reached its age [HSESS-06]', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const limits = { sessionIdleMs: 60_000, sessionMaxMs: 600_000 }
    await using cluster = await openCluster(distance, limits)
    const { a, b, clock } = cluster
    const session = await a.open()
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 10_000) {
        vi.setSystemTime(Date.now() + 10_000)
        await clock.advance(10_000)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    for (let round = 0; round < 3; round += 1) {
      await pass(30_000)
      expect((await b.post(ping(round), { session })).status).toBe(200)
    }

    expect(a.service.health().sessions).toBe(0)
    expect((await a.post(ping(9), { session })).status).toBe(200)
    await pass(200_000)
    expect(a.service.health().sessions + b.service.health().sessions).toBe(0)
    expect((await a.post(ping(9), { session })).status).toBe(200)
    await pass(400_000)
    expect((await a.post(ping(9), { session })).status).toBe(404)
    expect((await b.post(ping(9), { session })).status).toBe(404)
  })
})
