import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import {
  describeEntries,
  eventsOf,
  initialize,
  openEndpoint,
  ping,
} from '../../support/http-endpoint.ts'
import { as, nameGuard } from '../../support/name-guard.ts'
import { createSampleServer } from '../../support/sample-server.ts'

describeEntries('a session', (entry) => {
  test('is named by the answer to initialize, with an id nobody can guess [HSESS-01] [HSESS-02] [HSESS-03] [SEC-05] [SEC-06] [DEC-17]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)

    const ids = await Promise.all(Array.from({ length: 50 }, () => endpoint.open()))

    expect(new Set(ids).size).toBe(50)
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{43,}$/) // 256 bits take 43 characters at least
    for (const position of ids[0]?.slice(0, 64) ?? '') expect(position).toMatch(/[0-9a-f]/)
    const columns = Array.from({ length: 64 }, (_, at) => new Set(ids.map((id) => id[at])).size)
    expect(Math.min(...columns)).toBeGreaterThan(1) // no part of it is fixed
  })

  test('must be named by every later request [HSESS-05]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    await endpoint.open()
    const accept = { accept: 'text/event-stream' }

    const statuses = await Promise.all([
      endpoint.post(ping(1)),
      endpoint.post({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      endpoint.ask({ method: 'GET', headers: accept }),
      endpoint.ask({ method: 'DELETE' }),
    ])

    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  })

  test('that was ended is unknown from then on, as is any other [HSESS-06] [HSESS-07]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open()
    const headers = { 'mcp-session-id': session }

    const ended = await endpoint.ask({ method: 'DELETE', headers })
    const later = await endpoint.post(ping(1), { session })
    const again = await endpoint.ask({ method: 'DELETE', headers })
    const others = await Promise.all(
      ['__proto__', 'constructor', '', 'x'.repeat(5_000)].map((name) =>
        endpoint.post(ping(1), { session: name }),
      ),
    )

    expect([ended.status, later.status, again.status]).toEqual([204, 404, 404])
    expect(await later.json()).toMatchObject({
      id: 1,
      error: { code: 404, data: { reason: 'session_not_found' } },
    })
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })

  test('that ends answers the calls it leaves, on JSON and on streams [LIFE-15]', async () => {
    const { server, aborted } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()
    const waiting = endpoint.call('hang', { session })
    await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(1))
    const listening = await endpoint.listen(session)

    await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })

    expect((await waiting).status).toBe(404)
    expect(await listening.rest()).toEqual([])
    expect(aborted).toMatchObject([{ code: 'cancelled', details: { by: 'session' } }])
  })

  test('cannot be initialized again; an id that is not known does no harm [DEC-25]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open()

    const again = await endpoint.post(initialize(), { session })
    const stale = await endpoint.post(initialize(), { session: 'of another life' })

    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ id: 0, error: { code: -32600 } })
    expect(stale.status).toBe(200)
    expect(stale.headers.get('mcp-session-id')).not.toBe('of another life')
  })

  test('is no credential: every request is verified, and it opens nothing for another [SEC-03] [SEC-04] [SEC-07] [HTTP-05]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      auth: nameGuard,
    })
    const session = await endpoint.open({ headers: as('ada') })
    const listen = { accept: 'text/event-stream', 'mcp-session-id': session }

    const bare = await endpoint.post(ping(1), { session })
    const foreign = await endpoint.post(ping(1), { session, headers: as('bob') })
    const stream = await endpoint.ask({ method: 'GET', headers: { ...listen, ...as('bob') } })
    const end = await endpoint.ask({ method: 'DELETE', headers: { ...listen, ...as('bob') } })
    const own = await endpoint.post(ping(1), { session, headers: as('ada') })

    expect(bare.status).toBe(401)
    expect(bare.headers.get('www-authenticate')).toBe('Bearer')
    expect([foreign.status, stream.status, end.status]).toEqual([404, 404, 404])
    expect(own.status).toBe(200)
  })

  test('uses the credential of each request: more scopes count at once', async () => {
    const { server } = createSampleServer()
    server.tool('secret', { scopes: ['read'] }, () => 'it')
    await using endpoint = await openEndpoint(entry, server, { auth: nameGuard })
    const session = await endpoint.open({ headers: as('ada') })

    const rejected = await endpoint.call('secret', { session, headers: as('ada') })
    const allowed = await endpoint.call('secret', { session, headers: as('ada+read') })

    expect(rejected.status).toBe(403)
    expect(rejected.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="read"',
    )
    expect(await rejected.json()).toMatchObject({ error: { data: { scopes: ['read'] } } })
    expect(await allowed.json()).toMatchObject({ result: { content: [{ text: 'it' }] } })
  })

  test('ends when it is not used, and does not while it is [SEC-06] [HSESS-06]', async () => {
    const clock = createVirtualClock()
    const { server, release } = createSampleServer()
    const options = { clock, sessionIdleMs: 60_000, sessionMaxMs: 600_000 }
    await using endpoint = await openEndpoint(entry, server, options)
    const [idle, used] = [await endpoint.open(), await endpoint.open()]

    const calling = endpoint.call('hang', { session: used })
    await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(1))
    await clock.advance(90_000)

    expect((await endpoint.post(ping(1), { session: idle })).status).toBe(404)
    expect((await endpoint.post(ping(2), { session: used })).status).toBe(200)
    release()
    expect((await calling).status).toBe(200)
    await clock.advance(600_000)
    expect((await endpoint.post(ping(2), { session: used })).status).toBe(404)
    await clock.advance(60_000)
    expect(clock.pending).toBe(0)
  })

  test('that rests is the same when it is used again: its client, its log level, its numbers [BASE-07]', async () => {
    const clock = createVirtualClock()
    const { server } = createSampleServer()
    const clients = new Set<object>()
    server.tool('ask', {}, async (_, context) => {
      clients.add(context.client)
      context.log('debug', 'asking')
      return `${(await context.listRoots()).length} roots`
    })
    await using endpoint = await openEndpoint(entry, server, { clock })
    const session = await endpoint.open({ capabilities: { roots: {} } })
    const params = { level: 'debug' }
    await endpoint.post({ jsonrpc: '2.0', id: 9, method: 'logging/setLevel', params }, { session })
    const inputRequests: unknown[] = []

    for (let round = 0; round < 3; round += 1) {
      const events = eventsOf(await endpoint.call('ask', { session }))
      expect(await events.message()).toMatchObject({ params: { data: 'asking' } })
      const { id } = await events.message()
      inputRequests.push(id)
      await endpoint.post({ jsonrpc: '2.0', id, result: { roots: [] } }, { session })
      expect(await events.message()).toMatchObject({ id: 1, result: {} })
      await clock.advance(60_000)
    }

    expect(clients.size).toBe(1)
    expect(new Set(inputRequests).size).toBe(3)
  })

  test('is refused beyond the cap: for all, and for one caller alone', async () => {
    const maxSessions = { total: 3, perPrincipal: 2 }
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      auth: nameGuard,
      maxSessions,
    })
    const open = (name: string) => endpoint.post(initialize(), { headers: as(name) })
    for (let count = 0; count < 2; count += 1) await endpoint.open({ headers: as('ada') })

    const ada = await open('ada')
    await endpoint.open({ headers: as('bob') })
    const carol = await open('carol')

    expect([ada.status, carol.status]).toEqual([429, 503])
    expect(ada.headers.get('retry-after')).toBe('10')
    expect(await carol.json()).toMatchObject({ id: 0, error: { data: { reason: 'overloaded' } } })
    expect(endpoint.service.health()).toMatchObject({ sessions: 3 })
  })

  test.each([
    [{ total: 3 }, 'ada', 3, 503],
    [{ total: 3, perAddress: 2 }, 'ada', 3, 503],
    [{ perPrincipal: 2 }, 'ada', 2, 429],
    [{ total: undefined, perPrincipal: 2, perAddress: undefined }, 'ada', 2, 429],
  ])('takes the defaults of caps that %j leaves out', async (maxSessions, name, count, status) => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      auth: nameGuard,
      maxSessions,
    })
    for (let opened = 0; opened < count; opened += 1) await endpoint.open({ headers: as(name) })

    const rejected = await endpoint.post(initialize(), { headers: as(name) })

    expect(rejected.status).toBe(status)
    expect(await rejected.json()).toMatchObject({
      error: { message: expect.stringContaining(`${count} sessions already`) as string },
    })
  })

  test('that was never finished makes room for another', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      auth: nameGuard,
      maxSessions: 2,
    })
    const headers = as('ada')
    await endpoint.post(initialize(), { headers })
    await endpoint.open({ headers })

    const statuses = [(await endpoint.post(initialize(), { headers })).status]
    await endpoint.open({ headers })

    expect(statuses).toEqual([200])
    expect((await endpoint.post(initialize(), { headers })).status).toBe(503)
  })

  test('tells two callers apart whose calls are interleaved, with the same ids [HTTP-02]', async () => {
    const server = createServer({ name: 'shared', version: '1' })
    const waiting: (() => void)[] = []
    server.tool('who', {}, async (_, { sessionId, progress }) => {
      await progress({ progress: 1 })
      await new Promise<void>((resolve) => waiting.push(resolve))
      return `${sessionId}`
    })
    await using endpoint = await openEndpoint(entry, server)
    const sessions = await Promise.all([endpoint.open(), endpoint.open()])
    const calls = [1, 2].flatMap((id) =>
      sessions.map((session) => ({ id, session, meta: { progressToken: id } })),
    )

    const answers = calls.map((call) => endpoint.call('who', call))
    await vi.waitFor(() => expect(waiting).toHaveLength(4))
    for (const finish of waiting.toReversed()) finish()
    const told = await Promise.all(answers.map(async (answer) => eventsOf(await answer).rest()))

    expect(new Set(sessions).size).toBe(2)
    expect(
      told.map((events) => events.map(({ data }) => JSON.parse(data ?? '') as unknown)),
    ).toEqual(
      calls.map(({ id, session }) => [
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: id, progress: 1 },
        },
        { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: session }] } },
      ]),
    )
  })
})
