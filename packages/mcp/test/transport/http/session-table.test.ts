import type { Cluster, HttpOptions } from '@parley/mcp/http'
import { expect, onTestFinished, test, vi } from 'vitest'

import { ServerSession } from '../../../src/server/sessions/server-session.ts'
import { resolveHttpOptions } from '../../../src/transport/http/http-options.ts'
import { HttpSession } from '../../../src/transport/http/sessions/http-session.ts'
import { SessionIndex } from '../../../src/transport/http/sessions/session-table.ts'
import { openCluster } from '../../support/http-cluster.ts'
import { initialize, ping, type Endpoint } from '../../support/http-endpoint.ts'
import { as, nameGuard } from '../../support/name-guard.ts'

const subscribe = {
  jsonrpc: '2.0',
  id: 8,
  method: 'resources/subscribe',
  params: { uri: 'note://one' },
}
const sessionsAt = ({ service }: Endpoint): number => service.health().sessions

test('a process of a cluster that knows as many sessions as it may forgets the idlest, and refuses none', async () => {
  await using cluster = await openCluster('near', {
    auth: nameGuard,
    maxSessions: { total: 3, perPrincipal: 100 },
  })
  const { a } = cluster
  const opened: { readonly session: string; readonly headers: { authorization: string } }[] = []
  for (const name of ['ada', 'bob', 'eve', 'kim', 'lea']) {
    opened.push({ session: await a.open({ headers: as(name) }), headers: as(name) })
  }
  const [forgotten] = opened

  const again = forgotten && (await a.post(ping(1), forgotten))

  expect(opened.every(({ session }) => session !== '')).toBe(true)
  expect(again?.status).toBe(200)
  expect(sessionsAt(a)).toBe(3)
})

test('one that is used is not the idlest', async () => {
  await using cluster = await openCluster('far', { maxSessions: 2 })
  const { a, faults } = cluster
  const [used, idle] = [await a.open(), await a.open()]
  await a.post(ping(1), { session: used })

  await a.open()
  const asked = faults.asked
  await a.post(ping(2), { session: used })
  const askedForUsed = faults.asked - asked
  await a.post(ping(3), { session: idle })

  expect([askedForUsed, faults.asked - asked]).toEqual([0, 1])
})

test('sessions that listen make no room, take none from the others, and are not searched', async () => {
  await using cluster = await openCluster('near', { maxSessions: 20 })
  const { a, b } = cluster
  for (let count = 0; count < 20; count += 1) await a.listen(await a.open())
  const strangers = await openMany(b, 25)
  const looks = vi.spyOn(HttpSession.prototype, 'freeIdle')
  const busy = vi.spyOn(HttpSession.prototype, 'isBusy')
  onTestFinished(() => void vi.restoreAllMocks())

  for (const session of strangers) await (await a.call('who', { session })).text()

  expect(looks.mock.calls.length + busy.mock.calls.length).toBeLessThanOrEqual(strangers.length)
  expect(a.service.health()).toMatchObject({ streams: 20, sessions: 40 })
})

test('a change costs what its followers cost, however many sessions there are', async () => {
  await using cluster = await openCluster('near')
  const { a, b, clock, servers } = cluster
  await openMany(a, 100)
  const session = await a.open()
  await (await b.post(subscribe, { session })).text()
  const listening = await a.listen(session)
  await clock.advance(100)
  const looks = vi.spyOn(ServerSession.prototype, 'changed')
  onTestFinished(() => void vi.restoreAllMocks())

  servers.a.server.notifyChanged({ uri: 'note://one' })
  const updated = await listening.message()
  const forOne = looks.mock.calls.length
  servers.a.server.notifyChanged({ uri: 'note://two' })
  servers.a.server.tool('new', {}, () => 'x')
  const told = listening.message()
  await clock.advance(60)

  expect(updated).toMatchObject({ method: 'notifications/resources/updated' })
  expect(await told).toMatchObject({ method: 'notifications/tools/list_changed' })
  expect(forOne).toBe(1)
  expect(looks).toHaveBeenCalledTimes(3) // also at the process where it subscribed
})

test('streams of a process that drains move some at a time, and come back at different times', async () => {
  await using cluster = await openCluster('near')
  const { a, clock } = cluster
  const listening = []
  for (let count = 0; count < 100; count += 1) listening.push(await a.listen(await a.open()))
  const streams: number[] = []

  const draining = a.service.drain({ deadlineMs: 400 })
  for (let turn = 0; turn < 4; turn += 1) {
    streams.push(a.service.health().streams)
    await clock.advance(50)
  }
  await draining
  const ends = await Promise.all(listening.map((each) => each.rest()))

  expect(streams).toEqual([75, 50, 25, 0])
  const retries = ends.map(([first]) => Number(first?.retry))
  expect(Math.min(...retries)).toBeGreaterThanOrEqual(500)
  expect(Math.max(...retries)).toBeLessThanOrEqual(1_100)
  expect(new Set(retries).size).toBeGreaterThan(50)
})

test('sessions are checked in turns of 1,000, and each of them once', async () => {
  await using cluster = await openCluster('near')
  const { a, clock } = cluster
  await openMany(a, 1_020)
  const turns: number[] = []
  const checked = new Set<unknown>()
  let isNewTurn = true
  vi.spyOn(HttpSession.prototype, 'isBusy').mockImplementation(function (this: HttpSession) {
    if (isNewTurn) setImmediate(() => (isNewTurn = true))
    if (isNewTurn) turns.push(0)
    isNewTurn = false
    turns.push((turns.pop() ?? 0) + 1)
    checked.add(this.key)
    return false
  })
  onTestFinished(() => void vi.restoreAllMocks())

  await clock.advance(10_000)

  expect(turns).toEqual([1_000, 20])
  expect(checked.size).toBe(1_020)
})

test('a process remembers ten times as many sessions in a cluster, unless it is told how many', () => {
  const cluster = {} as Cluster // only whether there is one counts
  const totalOf = (options: HttpOptions): number => resolveHttpOptions(options).sessionLimits.total

  expect(totalOf({})).toBe(10_000)
  expect(totalOf({ cluster })).toBe(100_000)
  expect(totalOf({ cluster, maxSessions: 5 })).toBe(5)
})

test('one that listened counts again when it has stopped', async () => {
  await using cluster = await openCluster('near', { maxSessions: 2 })
  const { a, clock } = cluster
  const cut = new AbortController()
  const session = await a.open()
  const listening = await a.listen(session, { signal: cut.signal })
  await openMany(a, 3)
  const during = sessionsAt(a)
  cut.abort()
  await listening.rest().catch(() => undefined) // cut by us
  await vi.waitFor(() => expect(a.service.health().streams).toBe(0))
  await a.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
  await clock.advance(20_000)
  await openMany(a, 3)

  expect([during, sessionsAt(a)]).toEqual([3, 2])
})

test('a caller at its own limit is looked for among its own sessions', async () => {
  await using cluster = await openCluster('near', {
    auth: nameGuard,
    maxSessions: { total: 100, perPrincipal: 2 },
  })
  const { a, b } = cluster
  for (let count = 0; count < 20; count += 1) await a.open({ headers: as(`user${count}`) })
  const own = await openMany(b, 2, as('ada'))
  const third = await cluster.add('c')
  own.push(await third.endpoint.open({ headers: as('ada') }))
  const looks = vi.spyOn(HttpSession.prototype, 'freeIdle')
  onTestFinished(() => void vi.restoreAllMocks())

  for (const session of own) await (await a.call('who', { session, headers: as('ada') })).text()

  expect(looks).toHaveBeenCalledTimes(1)
  expect(sessionsAt(a)).toBe(22)
  expect((await b.post(initialize(), { headers: as('ada') })).status).toBe(429)
})

test('a session that was dropped while it was looked up is in no order', () => {
  const table = new SessionIndex(true)
  const session = { key: 'k', quotaKey: 'ada', principal: 'ada' } as HttpSession

  table.use(session)

  expect([table.size, table.idleCount, table.takeIdlest()]).toEqual([0, 0, undefined])
})

test.each(['a', 'b'] as const)(
  'a listener whose log has expired goes on at process %s, and hears that anything may have changed',
  async (place) => {
    await using cluster = await openCluster('near')
    const { a, clock, log, servers } = cluster
    const session = await a.open()
    await (await a.post(subscribe, { session })).text()
    const cut = new AbortController()
    const listening = await a.listen(session, { signal: cut.signal })
    servers.a.server.tool('one', {}, () => 'x')
    const first = listening.next()
    await clock.advance(100)
    const { id = '' } = (await first) ?? {}
    cut.abort()
    await vi.waitFor(() => expect(a.service.health().streams).toBe(0))
    await log.dropSession(await cluster.keyOf(session))

    const resumed = await cluster[place].listen(session, { headers: { 'last-event-id': id } })
    const missed: unknown[] = []
    while (missed.length < 4) missed.push((await resumed.message()).method)
    servers[place].server.notifyChanged({ uri: 'note://one' })
    const next = resumed.message()
    await clock.advance(100)

    expect(resumed.response.status).toBe(200)
    expect(missed).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'notifications/resources/updated',
    ])
    expect(await next).toMatchObject({ method: 'notifications/resources/updated' })
  },
)

test('a stream of a call whose log has expired is still unknown', async () => {
  await using cluster = await openCluster('near')
  const { a } = cluster
  const session = await a.open()
  const headers = { 'last-event-id': `${'0'.repeat(16)}x1_1`, 'mcp-session-id': session }

  const answer = await a.ask({
    method: 'GET',
    headers: { accept: 'text/event-stream', ...headers },
  })

  expect(answer.status).toBe(400)
})

async function openMany(
  endpoint: Endpoint,
  count: number,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const sessions: string[] = []
  while (sessions.length < count) sessions.push(await endpoint.open({ headers }))
  return sessions
}
