import { inspect } from 'node:util'

import type { JsonObject } from '@parley/mcp'
import { createVirtualClock, testAuth } from '@parley/mcp/testing'
import { expect, onTestFinished, test, vi } from 'vitest'

import { principalOf } from '../../../src/rpc/auth-info.ts'
import { createKeyRing } from '../../../src/server/input/key-ring.ts'
import { createClusterMessages } from '../../../src/transport/http/cluster/messages.ts'
import { createRecordReader } from '../../../src/transport/http/cluster/records.ts'
import { createSessionEncryption } from '../../../src/transport/http/cluster/shared-sessions.ts'
import { openCluster, type HttpCluster } from '../../support/http-cluster.ts'
import { eventsOf, messagesOf, ping, type Endpoint } from '../../support/http-endpoint.ts'
import { as, nameGuard } from '../../support/name-guard.ts'

const heartbeatMs = 3_000
const levels = ['debug', 'notice', 'warning', 'error'] as const
const setLevel = (level: string, id = 7) => ({
  jsonrpc: '2.0',
  id,
  method: 'logging/setLevel',
  params: { level },
})
const subscribe = {
  jsonrpc: '2.0',
  id: 8,
  method: 'resources/subscribe',
  params: { uri: 'note://one' },
}
const end = (endpoint: Endpoint, session: string) =>
  endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
const isReceived = async (endpoint: Endpoint, session: string) => {
  const answer = await endpoint.call('murmur', { session })
  if (answer.headers.get('content-type') === 'application/json') return false
  return messagesOf(await eventsOf(answer).rest()).length > 1
}

/** Another character for the end of base64url text, which a lenient reader takes for the same bytes. */
const twinOf = (last: string): string => String.fromCharCode(last.charCodeAt(0) + 1)

/** The store can be reached again, and everybody has noticed. */
async function comeBack({ faults, clock }: HttpCluster): Promise<void> {
  faults.isDown = false
  await clock.advance(heartbeatMs)
}

test('a session costs no command: neither opening it, nor a call of one that is known', async () => {
  await using cluster = await openCluster('far')
  const { a, b, faults } = cluster
  const session = await a.open()
  await (await a.call('who', { session })).text()
  const opened = faults.asked
  await (await b.call('who', { session })).text()
  const taken = faults.asked

  for (let call = 0; call < 20; call += 1) {
    await (await a.call('who', { session })).text()
    await (await b.call('who', { session })).text()
  }

  expect([opened, taken, faults.asked]).toEqual([0, 1, 1])
  expect(cluster.hub.said).toEqual([])
})

test('its first requests at another process look it up once together', async () => {
  await using cluster = await openCluster('far')
  const { a, b, faults } = cluster
  const session = await a.open()

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => b.call('count', { session }).then((answer) => answer.json())),
  )

  expect(faults.asked).toBe(1)
  expect(b.service.health().sessions).toBe(1)
  expect(answers).toHaveLength(10)
})

test('an id is visible, short, and says nothing to who has it [HSESS-03]', async () => {
  await using cluster = await openCluster('near')
  const { a } = cluster
  const [session, other] = [await a.open(), await a.open()]

  expect(session).toMatch(/^[\x21-\x7e]{100,1500}$/)
  expect(other).not.toBe(session)
  const bytes = session.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  expect(bytes.join()).not.toContain('by-hand')
})

test('an id that was forged, changed, stolen or is too old is as unknown as any, without a look at the store [SEC-07] [HSESS-06]', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  await using cluster = await openCluster('far', { auth: nameGuard, sessionMaxMs: 60_000 })
  await using stranger = await openCluster('far', { auth: nameGuard })
  stranger.secrets.a = ['another secret, also of thirty-two characters']
  const { a, b, faults } = cluster
  const headers = as('ada')
  const old = await a.open({ headers })
  vi.setSystemTime(Date.now() + 61_000)
  const session = await a.open({ headers })
  const middle = Math.floor(session.length / 2)
  const changedAt = (place: number): string =>
    session.slice(0, place) + (session[place] === 'A' ? 'B' : 'A') + session.slice(place + 1)
  const otherServer = createSessionEncryption('another', () => cluster.secrets.a)
  const principal = principalOf(testAuth({ subject: 'ada', scopes: [] }))
  const encrypted = {
    revision: '2025-06-18',
    expiresAt: Date.now() + 60_000,
    client: { capabilities: {} },
  } as const
  const exposed = JSON.stringify(['sample', principal])
  const stateOf = createKeyRing(cluster.secrets.a)
  const stolen = {
    'nothing like it': 'of nobody',
    'many dots': '.'.repeat(2_000),
    truncated: session.slice(0, -1),
    'truncated by half': session.slice(0, middle),
    'with other characters for the same bytes': session.slice(0, -1) + twinOf(session.at(-1) ?? ''),
    'with more before it': `x${session}`,
    'without its body': session.split('.').slice(0, 2).join('.'),
    changed: changedAt(session.length - 5),
    'changed in its middle': changedAt(middle),
    'with more after it': `${session}.x`,
    'of another key': await stranger.a.open({ headers }),
    'of another server': await otherServer.encrypt(encrypted, principal),
    'sealed for something else': await stateOf.encrypt(JSON.stringify(encrypted), exposed),
    'too old': old,
  }
  const asked = faults.asked
  const rejections = new Map<string, string>()
  for (const [kind, id] of Object.entries(stolen)) {
    for (const [at, endpoint] of Object.entries({ a, b })) {
      if (at === 'a' && kind === 'too old') continue // it is swept later
      const answer = await endpoint.post(ping(1), { session: id, headers })
      rejections.set(`${kind} at ${at}`, `${answer.status} ${await answer.text()}`)
    }
  }
  for (const [at, endpoint] of Object.entries({ a, b })) {
    const answer = await endpoint.post(ping(1), { session, headers: as('bob') })
    rejections.set(`of another user at ${at}`, `${answer.status} ${await answer.text()}`)
    const nobody = await endpoint.ask({
      method: 'DELETE',
      headers: { 'mcp-session-id': session, ...as('bob') },
    })
    expect(nobody.status).toBe(404)
  }

  expect(new Set(rejections.values()).size, JSON.stringify([...rejections])).toBe(1)
  expect([...rejections.values()][0]).toMatch(/^404 /)
  expect(faults.asked).toBe(asked)
  expect((await b.post(ping(1), { session, headers })).status).toBe(200)
})

test('no report and no trace has the id of a session', async () => {
  const shown: unknown[] = []
  const show = (...what: unknown[]): void => void shown.push(inspect(what, { depth: 20 }))
  await using cluster = await openCluster('far', { onError: show, onMessage: show })
  const { a, b, faults } = cluster
  const session = await a.open()
  await b.call('who', { session, headers: { 'mcp-protocol-version': '2025-03-26' } })
  await b.listen(session, { headers: { 'last-event-id': 'x_1' } })
  await b.post('{', { session })
  faults.isDown = 'before'
  await a.post(setLevel('debug'), { session })
  await end(b, session)
  await a.call('who', { session: session.slice(0, -1) })

  expect(shown.length).toBeGreaterThan(5)
  expect(shown.join('\n')).not.toContain(session.slice(-40, -2))
})

test('secrets are replaced without a restart: new ones seal, old ones open for as long as they are given', async () => {
  await using cluster = await openCluster('near')
  const { a, b, secrets } = cluster
  const [old, next] = [secrets.a[0] ?? '', 'the next secret of thirty-two letters']
  const before = await a.open()
  const isKnown = async (session: string) => (await b.post(ping(1), { session })).status === 200

  secrets.b = [old, next]
  secrets.a = [next, old]
  const after = await a.open()
  const during = [await isKnown(before), await isKnown(after)]
  await end(b, before)
  const forgotten = await a.open()
  secrets.b = [next]
  secrets.a = [old]
  const late = await a.open()

  expect(during).toEqual([true, true])
  expect(forgotten.split('.')[1]).toBe(after.split('.')[1])
  expect(await isKnown(forgotten)).toBe(true)
  expect(await isKnown(late)).toBe(false)
})

test('a secret that was replaced ends its sessions at every process, also those that only listen', async () => {
  await using cluster = await openCluster('near')
  const { a, b, secrets, clock } = cluster
  const [old, next] = [secrets.a[0] ?? '', 'the next secret of thirty-two letters']
  const before = await a.open()
  await (await b.call('who', { session: before })).text()
  const listening = await b.listen(before)
  secrets.a = secrets.b = [next, old]
  const after = await a.open()
  await clock.advance(heartbeatMs)
  const during = [a, b].map(async (each) => (await each.post(ping(1), { session: before })).status)
  const stillThere = await Promise.all(during)

  secrets.a = secrets.b = [next]
  const late = await a.post(ping(1), { session: before })
  await clock.advance(heartbeatMs)

  await listening.rest()
  expect([...stillThere, late.status]).toEqual([200, 200, 404])
  expect([a.service.health().sessions, b.service.health().sessions]).toEqual([1, 0])
  expect((await a.post(ping(1), { session: after })).status).toBe(200)
})

test('what a client says about itself is kept apart if it is too long for an id', async () => {
  await using cluster = await openCluster('far')
  const { a, b, faults, records } = cluster
  const experimental = { long: { text: 'x'.repeat(3_000) } }
  const session = await a.open({ capabilities: { roots: {}, experimental } })
  faults.isDown = 'before'
  const early = await b.post(ping(1), { session })
  const atHome = await a.call('who', { session })
  const unopened = await a.open({ capabilities: { experimental } })
  await comeBack(cluster)

  const { result } = (await (await b.call('who', { session })).json()) as {
    result: { content: [{ text: string }] }
  }
  const lost = await a.open({ capabilities: { experimental } })
  records.clear()

  expect(session.length).toBeLessThanOrEqual(1_500)
  expect([early.status, atHome.status, unopened]).toEqual([503, 200, ''])
  expect(JSON.parse(result.content[0].text)).toMatchObject({ name: 'by-hand', roots: {} })
  expect((await b.post(ping(1), { session: lost })).status).toBe(404)
  expect((await a.post(ping(1), { session: lost })).status).toBe(200)
})

test('while the store is away any process opens and takes sessions; changes are refused', async () => {
  await using cluster = await openCluster('far')
  const { a, b, faults } = cluster
  const session = await a.open()
  await a.post(setLevel('debug'), { session })
  faults.isDown = 'before'

  const opened = await a.open()
  const calls = [
    await b.call('who', { session }),
    await b.call('who', { session }),
    await b.call('who', { session: opened }),
  ]
  const changes = [await b.post(setLevel('error'), { session }), await end(b, opened)]
  const isHeardWhileAway = await isReceived(b, session)
  await comeBack(cluster)

  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(changes.map(({ status }) => status)).toEqual([503, 503])
  expect(isHeardWhileAway).toBe(false)
  expect(await isReceived(b, session)).toBe(true)
})

test('an ended session stays ended where that is known, even if the store is away or has lost it [HSESS-07]', async () => {
  await using cluster = await openCluster('far')
  const { a, b, faults, clock, records } = cluster
  const session = await a.open()
  await b.post(ping(1), { session })
  await end(a, session)
  await clock.advance(heartbeatMs)
  faults.isDown = 'before'

  const away = [await a.post(ping(1), { session }), await b.post(ping(1), { session })]
  faults.isDown = false
  records.clear()
  const lost = [await a.post(ping(1), { session }), await b.post(ping(1), { session })]

  expect([...away, ...lost].map(({ status }) => status)).toEqual([404, 404, 404, 404])
})

test('a store that comes back empty ends no session: what is known here stays, and can be changed', async () => {
  await using cluster = await openCluster('far')
  const { a, b, clock, records, hub } = cluster
  const session = await a.open()
  await a.post(setLevel('debug'), { session })
  await a.post(setLevel('info'), { session })
  await a.post(setLevel('debug'), { session })
  await b.post(ping(1), { session })
  records.clear()
  hub.lose()
  await clock.advance(heartbeatMs)

  const after = [await isReceived(a, session), await isReceived(b, session)]
  const changed = await b.post(setLevel('error'), { session })
  await clock.advance(heartbeatMs)

  expect(after).toEqual([true, true])
  expect(changed.status).toBe(200)
  expect([await isReceived(a, session), await isReceived(b, session)]).toEqual([false, false])
})

test('who missed messages reads again what is used, and at once what is listened to', async () => {
  await using cluster = await openCluster('far')
  const { a, b, clock, hub, servers } = cluster
  const [listened, used, ended] = [await a.open(), await a.open(), await a.open()]
  const listening = await b.listen(listened)
  for (const session of [used, ended]) await b.post(ping(1), { session })
  await a.post(subscribe, { session: listened })
  await a.post(setLevel('debug'), { session: used })
  await end(a, ended)
  hub.lose()
  await clock.advance(heartbeatMs)

  const told: unknown[] = []
  void listening.message().then((message) => told.push(message))
  await vi.waitFor(() => {
    servers.b.server.notifyChanged({ uri: 'note://one' })
    expect(told).toHaveLength(1)
  })

  expect(told).toMatchObject([{ params: { uri: 'note://one' } }])
  expect(await isReceived(b, used)).toBe(true)
  expect((await b.post(ping(1), { session: ended })).status).toBe(404)
})

test('what was followed before a process first knew of a session is told there', async () => {
  await using cluster = await openCluster('near')
  const { a, b, servers } = cluster
  const session = await a.open()
  await (await a.post(subscribe, { session })).text()

  const listening = await b.listen(session)
  servers.b.server.notifyChanged({ uri: 'note://one' })

  expect(await listening.message()).toMatchObject({ params: { uri: 'note://one' } })
})

test('a change is written anew if the store has lost what was known of its session', async () => {
  await using cluster = await openCluster('far')
  const { a, b, records } = cluster
  const session = await a.open()
  await a.post(setLevel('error'), { session })
  records.clear()

  const changed = await a.post(setLevel('debug'), { session })

  expect(changed.status).toBe(200)
  expect(await isReceived(b, session)).toBe(true)
})

test('many changes of one session at once all succeed', async () => {
  await using cluster = await openCluster('far')
  const { a, b } = cluster
  const session = await a.open()

  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, id) =>
      (id % 2 === 0 ? a : b).post(setLevel(levels[id % 4] ?? '', id), { session }),
    ),
  )

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a change whose answer got lost is told when its client asks again', async () => {
  await using cluster = await openCluster('far')
  const { a, b, faults, clock } = cluster
  const session = await a.open()
  const listening = await b.listen(session)
  faults.isDown = 'after'
  const lost = await a.post(subscribe, { session })
  faults.isDown = false

  const again = await a.post(subscribe, { session })
  await clock.advance(heartbeatMs)
  await b.post(ping(1), { session })
  cluster.servers.b.server.notifyChanged({ uri: 'note://one' })

  expect([lost.status, again.status]).toEqual([503, 200])
  expect(await listening.message()).toMatchObject({ params: { uri: 'note://one' } })
})

test('a stranger has no more calls by going to another process', async () => {
  const limits = { inFlight: 2 }
  await using cluster = await openCluster('near', { trustedProxies: ['127.0.0.1'], limits })
  const { a, b, servers } = cluster
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const sessions = [await a.open({ headers }), await a.open({ headers }), await a.open({ headers })]
  const waiting = sessions.slice(1).map((session) => b.call('hang', { session, headers }))
  await vi.waitFor(() => expect(servers.b.calls.hang).toBe(2))

  const third = await b.call('count', { session: sessions[0], headers })
  servers.b.release()
  await Promise.all(waiting)

  expect(third.status).toBe(429)
})

test('a record is read again if something was said about it meanwhile', async () => {
  const answers: ((version: number) => void)[] = []
  const data = { subscriptions: [] }
  const clock = createVirtualClock()
  const reader = createRecordReader({
    clock,
    retryMs: heartbeatMs,
    onError: () => undefined,
    records: {
      get: () => new Promise((resolve) => answers.push((version) => resolve({ data, version }))),
      update: () => true,
      end: () => undefined,
    },
  })

  const reads = [reader.read('k'), reader.read('k')]
  reader.outdate('k')
  reader.outdate('other')
  answers[0]?.(1)
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.(2)

  expect(await Promise.all(reads)).toEqual([
    { data, version: 2 },
    { data, version: 2 },
  ])
  expect(answers).toHaveLength(2)
})

test('what others must hear is told when they can be reached, in order', async () => {
  const clock = createVirtualClock()
  const told: unknown[] = []
  let isDown = true
  const messages = {
    async notify(message: JsonObject) {
      if (isDown) throw new Error('away')
      told.push(message['key'])
    },
    send: () => undefined,
    listen: () => ({ [Symbol.dispose]: () => undefined }),
  }
  const reports: unknown[] = []
  using mail = createClusterMessages(
    { node: 'a', heartbeatMs: 1_000, messages },
    { clock, onError: (error) => reports.push(error) },
  )

  for (const key of ['one', 'two']) await mail.notify('session-ended', { key })
  await clock.advance(1_000)
  const before = [...told]
  isDown = false
  await clock.advance(1_000)
  await vi.waitFor(() => expect(told).toHaveLength(2))

  expect(before).toEqual([])
  expect(told).toEqual(['one', 'two'])
  expect(reports).toHaveLength(2)
})
