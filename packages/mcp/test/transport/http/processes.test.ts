import { type JsonObject, revisions } from '@parley/mcp'
import type { Server } from '@parley/mcp/server'
import type { VirtualClock } from '@parley/mcp/testing'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'

import { mirroredHeaders } from '../../../src/wire/headers.ts'
import { openCluster, type HttpCluster } from '../../support/http-cluster.ts'
import { eventsOf, messagesOf, type Endpoint, type Events } from '../../support/http-endpoint.ts'
import { envelope } from '../../support/modern-client.ts'
import { readAnswer, type Answered } from '../../support/modern-http.ts'
import { as, nameGuard } from '../../support/name-guard.ts'
import { accept, resolveAll, roundOf } from '../../support/rounds-driver.ts'

const capabilities = { elicitation: {}, sampling: {}, roots: {} }
const note = 'note://one'
const updated = {
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri: note },
}
const toolsChanged = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
const subscribe = { jsonrpc: '2.0', id: 8, method: 'resources/subscribe', params: { uri: note } }

/** What a client says to each question, and what comes of it. */
const inputRequests = [
  ['elicit', { action: 'accept', content: { name: 'Ada' } }, 'Ada'],
  ['sample', { role: 'assistant', content: { type: 'text', text: 'So.' }, model: 'm' }, 'So.'],
  ['roots', { roots: [{ uri: 'file:///home' }] }, '1'],
] as const

function addQuestions(server: Server): void {
  const form = { message: 'Who?', requestedSchema: z.object({ name: z.string() }) }
  server.tool('elicit', {}, async (_, context) => JSON.stringify(await context.elicit(form)))
  server.tool('sample', {}, async (_, context) => {
    const content = { type: 'text', text: 'Why?' } as const
    const messages = [{ role: 'user', content }] as const
    return JSON.stringify(await context.sample({ messages, maxTokens: 10 }))
  })
  server.tool('pay', { singleUse: true }, async (_, context) =>
    JSON.stringify(await context.elicit(form)),
  )
}

/** Enough for messages to be looked for, and for what comes of them. */
async function pass(clock: VirtualClock, ms = 3_300): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await clock.advance(100)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

async function openAsking(
  distance: 'near' | 'far',
  options: Parameters<typeof openCluster>[1] = {},
): Promise<HttpCluster> {
  const cluster = await openCluster(distance, { revisions, ...options })
  for (const { server } of Object.values(cluster.servers)) addQuestions(server)
  await pass(cluster.clock) // until everybody has heard of the new tools
  return cluster
}

function answer(id: unknown, result: object) {
  return { jsonrpc: '2.0', id, result }
}

/** A request of 2026-07-28. */
async function ask2026(endpoint: Endpoint, method: string, params: object = {}): Promise<Response> {
  const whole = { ...params, _meta: envelope(capabilities) } as JsonObject // made of JSON
  const headers = mirroredHeaders({ method, params: whole }, '2026-07-28')
  return endpoint.post({ jsonrpc: '2.0', id: 1, method, params: whole }, { headers })
}

async function callPay(endpoint: Endpoint, more: object = {}): Promise<Answered> {
  return readAnswer(await ask2026(endpoint, 'tools/call', { name: 'pay', arguments: {}, ...more }))
}

/** What else a stream brings until its session ends. */
async function untilEnd(
  { a, clock }: HttpCluster,
  session: string,
  stream: Events,
): Promise<readonly unknown[]> {
  const before = stream.seen.length
  const read = stream.rest().catch(() => undefined) // it may be cut off
  await a.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
  await pass(clock, 6_600)
  await read
  return messagesOf(stream.seen.slice(before).filter(({ data }) => data))
}

test('a client is told at most twice of one change that each of five processes sees', async () => {
  await using cluster = await openAsking('near')
  const { a, b, clock, servers } = cluster
  const others = [await cluster.add('c'), await cluster.add('d'), await cluster.add('e')]
  const session = await a.open()
  await (await a.post(subscribe, { session })).text()
  const listening = await b.listen(session)
  await pass(clock)

  const all = [servers.a, servers.b, ...others.map(({ sample }) => sample)]
  for (const { server } of all) {
    server.notifyChanged({ uri: note })
    await clock.advance(60)
  }
  await pass(clock)
  const told = await untilEnd(cluster, session, listening)

  expect(told).toEqual([updated, updated])
})

describe.each(['near', 'far'] as const)('processes with messages that are %s', (distance) => {
  test.each(inputRequests)(
    'take the answer to %s for each other',
    async (name, result, expected) => {
      await using cluster = await openAsking(distance)
      const { a, b, clock } = cluster
      const session = await a.open({ capabilities })
      const call = eventsOf(await a.call(name, { session }))
      const { id } = await call.message()

      const answered = await b.post(answer(id, result), { session })
      const outcome = call.message()
      await pass(clock)

      expect(answered.status).toBe(202)
      expect(id).toMatch(/^a\.\d+$/)
      expect(JSON.stringify(await outcome)).toContain(expected)
    },
  )

  test('count an answer once that was sent twice', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock } = cluster
    const session = await a.open({ capabilities })
    const call = eventsOf(await a.call('elicit', { session }))
    const { id } = await call.message()

    const named = (name: string) => answer(id, { action: 'accept', content: { name } })
    const first = await b.post(named('Ada'), { session })
    const second = await b.post(named('Bob'), { session })
    const rest = call.rest()
    await pass(clock)
    const third = await a.post(named('Eve'), { session })

    expect([first.status, second.status, third.status]).toEqual([202, 202, 202])
    const messages = messagesOf(await rest)
    expect(messages).toHaveLength(1)
    expect(JSON.stringify(messages)).toContain('Ada')
  })

  test('take answers out of a batch, beside its requests', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock } = cluster
    const session = await a.open({ capabilities, revision: '2025-03-26' })
    const call = eventsOf(await a.call('roots', { session }))
    const { id } = await call.message()

    const batch = [answer(id, { roots: [] }), { jsonrpc: '2.0', id: 'p', method: 'ping' }]
    const answered = await b.post(batch, { session })
    const outcome = call.message()
    await pass(clock)

    expect(await answered.json()).toEqual([answer('p', {})])
    expect(await outcome).toMatchObject({ result: { content: [{ text: '0' }] } })
  })

  test('refuse for each other what is no answer', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock } = cluster
    const session = await a.open({ capabilities })
    await (await b.call('who', { session })).text()
    const call = eventsOf(await a.call('roots', { session }))
    const { id } = await call.message()

    const rejected = await b.post({ jsonrpc: '2.0', id, result: 'no object' }, { session })
    const outcome = call.message()
    await pass(clock)

    expect(rejected.status).toBe(400)
    expect(await outcome).toMatchObject({ result: { isError: true } })
  })

  test('hear of the progress of a client that answers later', async () => {
    await using cluster = await openAsking(distance, { limits: { inputMs: 20_000 } })
    const { a, b, clock } = cluster
    const session = await a.open({ capabilities })
    const call = eventsOf(await a.call('roots', { session }))
    const { id } = await call.message()

    await pass(clock, 15_000)
    const params = { progressToken: id, progress: 1 }
    const received = { jsonrpc: '2.0', method: 'notifications/progress', params }
    const told = await b.post(received, { session })
    await pass(clock, 15_000)
    await b.post(answer(id, { roots: [] }), { session })
    const outcome = call.message()
    await pass(clock)

    expect(told.status).toBe(202)
    expect(await outcome).toMatchObject({ result: { content: [{ text: '0' }] } })
  })

  test('take nobody else for the one who was asked [SEC-07]', async () => {
    await using cluster = await openAsking(distance, { auth: nameGuard })
    const { a, b, clock } = cluster
    const session = await a.open({ capabilities, headers: as('ada') })
    const foreign = await a.open({ capabilities, headers: as('bob') })
    const call = eventsOf(await a.call('elicit', { session, headers: as('ada') }))
    const { id } = await call.message()

    const named = (name: string) => answer(id, { action: 'accept', content: { name } })
    const statuses = [
      await b.post(named('Bob'), { session, headers: as('bob') }),
      await b.post(named('Bob'), { session: foreign, headers: as('bob') }),
      await a.post(named('Bob'), { session: foreign, headers: as('bob') }),
    ].map(({ status }) => status)
    await pass(clock)
    await b.post(named('Ada'), { session, headers: as('ada') })
    const outcome = call.message()
    await pass(clock)

    expect(statuses).toEqual([404, 202, 202])
    expect(JSON.stringify(await outcome)).toContain('Ada')
  })

  test('drop what is for one that is gone', async () => {
    await using cluster = await openAsking(distance)
    const { a } = cluster
    const session = await a.open({ capabilities })

    const answered = await a.post(answer('gone.1', {}), { session })

    expect(answered.status).toBe(202)
  })

  test('cancel for each other, and close the stream [CANC-04] [CANC-06]', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock, hub, servers, step } = cluster
    const session = await a.open()
    const calling = a.call('walk', { session, meta: { progressToken: 'p' } })
    await step()
    const call = eventsOf(await calling)
    await call.message()
    const cancel = (requestId: string | number) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason: 'changed my mind' },
    })

    const cancelled = await b.post(cancel(1), { session })
    const rest = call.rest()
    await pass(clock)
    const here = a.call('hang', { session, id: 2 })
    await vi.waitFor(() => expect(servers.a.calls.hang).toBe(1))
    await a.post(cancel(2), { session })

    expect(cancelled.status).toBe(202)
    expect(await rest).toEqual([])
    await (await here).text()
    const reason = { message: 'changed my mind', details: { by: 'caller' } }
    expect(servers.a.aborted).toMatchObject([reason, reason])
    expect(hub.said.filter(({ type }) => type === 'request-cancelled')).toHaveLength(1)
  })

  test('tell each other of changes once, for sessions and for those without', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock, hub, servers } = cluster
    const session = await a.open()
    const listening = await b.listen(session)
    const filter = { notifications: { toolsListChanged: true } }
    const modern = eventsOf(await ask2026(b, 'subscriptions/listen', filter))
    await modern.message()
    const before = hub.said.length

    servers.a.server.tool('one', {}, () => 'x')
    servers.a.server.tool('two', {}, () => 'x')
    const told = modern.message()
    await pass(clock)

    expect(await told).toMatchObject(toolsChanged)
    expect(hub.said.slice(before).map(({ type }) => type)).toEqual(['server-changed'])
    expect(await untilEnd(cluster, session, listening)).toEqual([toolsChanged])
  })

  test('tell a client of a resource that it follows, wherever it listens, once', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock } = cluster
    const c = await cluster.add('c')
    const session = await a.open()
    await (await a.post(subscribe, { session })).text()
    const listening = await b.listen(session)
    await pass(clock)

    c.sample.server.notifyChanged({ uri: note })
    c.sample.server.notifyChanged({ uri: 'note://two' })
    const told = listening.message()
    await pass(clock)

    expect(await told).toEqual(updated)
    expect(await untilEnd(cluster, session, listening)).toEqual([])
  })

  test('tell each other nothing of a change that the watch of each of them sees', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock, hub, servers } = cluster
    const changed: (() => void)[] = []
    for (const { server } of [servers.a, servers.b]) {
      const watch = (_: object, tell: () => void) => void changed.push(tell)
      server.resource('note://shared', { watch, watchSeesAll: true }, () => 'text')
    }
    await pass(clock)
    const follow = { ...subscribe, params: { uri: 'note://shared' } }
    const sessions = [await a.open(), await b.open()]
    for (const [at, endpoint] of [a, b].entries()) {
      await (await endpoint.post(follow, { session: sessions[at] ?? '' })).text()
    }
    await pass(clock)
    const before = hub.said.length

    for (const tell of changed) tell()
    await pass(clock)

    expect(changed).toHaveLength(2)
    expect(hub.said).toHaveLength(before)
  })

  test('let the newest of several listeners have everything', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock, servers } = cluster
    const session = await a.open()
    const atA = await a.listen(session)
    servers.b.server.tool('one', {}, () => 'x')
    const first = atA.message()
    await pass(clock)
    await first

    const atB = await b.listen(session)
    const ended = atA.rest()
    await pass(clock)
    const again = await a.listen(session)
    const endedToo = atB.rest()
    await pass(clock)
    servers.b.server.tool('two', {}, () => 'x')
    const told = again.message()
    await pass(clock)
    const resumed = await b.listen(session, {
      headers: { 'last-event-id': atA.seen[0]?.id ?? '' },
    })

    expect([await ended, await endedToo]).toEqual([[], []])
    expect(await told).toEqual(toolsChanged)
    expect(await resumed.message()).toEqual(toolsChanged)
  })

  test('go on with what a client listened to elsewhere: the rest, then what is new', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock, servers } = cluster
    const session = await a.open()
    await (await a.post(subscribe, { session })).text()
    const cut = new AbortController()
    const atA = await a.listen(session, { signal: cut.signal })
    servers.a.server.tool('one', {}, () => 'x')
    const first = atA.next()
    await pass(clock)
    const { id = '' } = (await first) ?? {}
    cut.abort()
    await vi.waitFor(() => expect(a.service.health().streams).toBe(0))
    servers.b.server.notifyChanged({ uri: note })
    await pass(clock)

    const atB = await b.listen(session, { headers: { 'last-event-id': id } })
    const missed = atB.message()
    await pass(clock)
    servers.a.server.prompt('new', {}, () => 'x')
    const added = atB.message()
    await pass(clock)

    expect(await missed).toEqual(updated)
    expect(await added).toMatchObject({ method: 'notifications/prompts/list_changed' })
    expect(await untilEnd(cluster, session, atB)).toEqual([])
  })

  test('agree on who listened last, though they hear of it late', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock, servers } = cluster
    const session = await a.open()
    const atA = await a.listen(session)
    const atB = await b.listen(session)
    const ended = atA.rest()
    await pass(clock)

    servers.a.server.tool('one', {}, () => 'x')
    const told = atB.message()
    await pass(clock)

    expect(await ended).toEqual([])
    expect(await told).toEqual(toolsChanged)
  })

  test('pass on what belongs to a session and to no call', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock, servers } = cluster
    const url = 'https://bank.example/pay'
    const complete: ((id: string) => void)[] = []
    servers.a.server.tool('link', {}, async (_, context) => {
      complete.push(context.completeElicitation)
      await context.elicit({ mode: 'url', message: 'Pay', url, elicitationId: 'e1' })
    })
    const url2025 = { revision: '2025-11-25', capabilities: { elicitation: { url: {} } } }
    const session = await a.open(url2025)
    await pass(clock)
    const listening = await b.listen(session)
    const call = eventsOf(await a.call('link', { session }))
    const { id } = await call.message()
    await a.post(answer(id, { action: 'accept' }), { session })
    await call.rest()

    complete[0]?.('e1')
    const told = listening.message()
    await pass(clock)

    expect(await told).toMatchObject({
      method: 'notifications/elicitation/complete',
      params: { elicitationId: 'e1' },
    })
  })

  test('say that everything may have changed when they missed something', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, clock, hub } = cluster
    const session = await a.open()
    await (await a.post(subscribe, { session })).text()
    const listening = await b.listen(session)
    const filter = { notifications: { promptsListChanged: true } }
    const modern = eventsOf(await ask2026(b, 'subscriptions/listen', filter))
    await modern.message()
    await pass(clock)
    const before = hub.said.length

    hub.lose()
    const told = modern.message()
    await pass(clock)

    expect(await told).toMatchObject({ method: 'notifications/prompts/list_changed' })
    expect(hub.said).toHaveLength(before)
    const methods = (await untilEnd(cluster, session, listening)) as readonly { method: string }[]
    expect(methods.map(({ method }) => method).toSorted()).toEqual([
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ])
  })

  test('report what they cannot make sense of, unless it is of a later version', async () => {
    const onError = vi.fn()
    await using cluster = await openCluster(distance, { onError })
    const stranger = cluster.hub.connect('c')

    await stranger.notify({ type: 'of-tomorrow' })
    await stranger.notify({ type: 'server-changed', server: 'sample', from: 'c', number: 1 })
    await pass(cluster.clock)

    const why = 'a message of another process, server-changed: changes: an array'
    expect(onError.mock.calls).toEqual([
      [expect.objectContaining({ message: why }), { severity: 'warning', operation: 'cluster' }],
      [expect.objectContaining({ message: why }), { severity: 'warning', operation: 'cluster' }],
    ])
  })

  test('go on with rounds of each other, and use a state once in all', async () => {
    await using cluster = await openAsking(distance)
    const { a, b, secrets } = cluster
    const yes = () => accept({ name: 'Ada' })
    const round = resolveAll(roundOf(await callPay(a)), yes)
    const stale = resolveAll(roundOf(await callPay(a)), yes)
    const [old = ''] = secrets.a
    secrets.a = secrets.b = ['another secret of thirty-two characters', old]

    const paid = await callPay(b, round)
    const again = [await callPay(a, round), await callPay(b, round)]

    expect(JSON.stringify(paid.result)).toContain('Ada')
    const rejected = { code: -32602, message: expect.stringContaining('used before') as string }
    expect(again.map(({ error }) => error)).toMatchObject([rejected, rejected])
    const sealedAnew = resolveAll(roundOf(await callPay(b)), yes)
    secrets.a = secrets.b = secrets.b.slice(0, 1)
    expect(JSON.stringify((await callPay(a, sealedAnew)).result)).toContain('Ada')
    expect((await callPay(a, stale)).error).toMatchObject({ code: -32602 })
  })
})

test('an answer that cannot be kept now is sent again: 503 and when', async () => {
  await using cluster = await openAsking('far')
  const { a, b, clock, faults } = cluster
  const session = await a.open({ capabilities })
  await (await b.call('who', { session })).text()
  const call = eventsOf(await a.call('roots', { session }))
  const { id } = await call.message()

  faults.isDown = 'before'
  const rejected = await b.post(answer(id, { roots: [] }), { session })
  faults.isDown = false
  const taken = await b.post(answer(id, { roots: [] }), { session })
  const outcome = call.message()
  await pass(clock)

  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1'])
  expect(taken.status).toBe(202)
  expect(await outcome).toMatchObject({ result: { content: [{ text: '0' }] } })
})

test('a state that may be used once waits for a store that is away', async () => {
  await using cluster = await openAsking('far')
  const { a, b, faults } = cluster
  const round = resolveAll(roundOf(await callPay(a)), () => accept({ name: 'Ada' }))

  faults.isDown = 'before'
  const rejected = await callPay(b, round)
  faults.isDown = false
  const paid = await callPay(b, round)

  expect(rejected.error).toMatchObject({ data: { reason: 'overloaded', retryAfterMs: 1_000 } })
  expect(JSON.stringify(paid.result)).toContain('Ada')
})

test.each(['before', 'after'] as const)(
  'changes during an outage are told after it, once (lost %s)',
  async (lost) => {
    await using cluster = await openAsking('far')
    const { a, b, clock, faults, servers } = cluster
    const session = await a.open()
    await (await a.post(subscribe, { session })).text()
    const listening = await b.listen(session)
    await pass(clock)

    faults.isDown = lost
    servers.a.server.notifyChanged({ uri: note })
    const onTold = vi.fn()
    const told = listening.message().then(onTold)
    await pass(clock, 6_600)
    const toldEarly = onTold.mock.calls.length
    faults.isDown = false
    await pass(clock, 6_600)
    await told

    expect(toldEarly).toBe(0)
    expect(onTold).toHaveBeenCalledWith(updated)
    expect(await untilEnd(cluster, session, listening)).toEqual([])
  },
)

test('what a client makes others keep counts for it, as long as they may', async () => {
  const limits = { callerBytes: 300_000, messageBytes: 60_000 }
  await using cluster = await openCluster('near', { auth: nameGuard, limits })
  const { a, clock } = cluster
  const headers = as('ada')
  const session = await a.open({ headers })
  const long = answer('gone.1', { text: 'x'.repeat(50_000) })

  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) {
    statuses.push((await a.post(long, { session, headers })).status)
  }
  await clock.advance(61_000)
  const later = await a.post(long, { session, headers })

  expect([statuses[0], statuses[4]]).toEqual([202, 429])
  expect(later.status).toBe(202)
})
