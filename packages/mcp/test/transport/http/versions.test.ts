import { describe, expect, test } from 'vitest'

import { legacyRevisions } from '../../../src/wire/revisions.ts'
import {
  describeEntries,
  eventsOf,
  initialize,
  messagesOf,
  openEndpoint,
  ping,
} from '../../support/http-endpoint.ts'
import { createSampleServer } from '../../support/sample-server.ts'

const version = (value: string) => ({ 'mcp-protocol-version': value })
const call = (id: string | number, name: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name },
})

describeEntries('the version header', (entry) => {
  test.each(['foo', '', '2026-13-45', '2025-06-18, 2025-06-18', '__proto__'])(
    'is refused by 400 if it says %j, on every method [HVER-04]',
    async (value) => {
      await using endpoint = await openEndpoint(entry, createSampleServer().server)
      const session = await endpoint.open()
      const headers = { ...version(value), accept: 'text/event-stream', 'mcp-session-id': session }

      const post = await endpoint.post(ping(1), { session, headers: version(value) })
      const get = await endpoint.ask({ headers })
      const end = await endpoint.ask({ method: 'DELETE', headers })

      expect([post.status, get.status, end.status]).toEqual([400, 400, 400])
      expect(await post.json()).toMatchObject({ id: 1, error: { code: -32600 } })
    },
  )

  test('does not matter on initialize [DEC-14]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)

    const response = await endpoint.post(initialize('2025-03-26'), { headers: version('foo') })

    expect(await response.json()).toMatchObject({ result: { protocolVersion: '2025-03-26' } })
  })

  test('that differs from the session changes nothing, and is reported once [DEC-14] [R0326-14]', async () => {
    const reports: unknown[] = []
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      onError: (error) => reports.push(error),
    })
    const session = await endpoint.open({ revision: '2025-03-26' })

    for (const id of [1, 2]) {
      const body = [ping(id)] // arrays are for 2025-03-26 alone
      const response = await endpoint.post(body, { session, headers: version('2025-06-18') })
      expect(await response.json()).toEqual([{ jsonrpc: '2.0', id, result: {} }])
    }

    expect(reports).toHaveLength(1)
  })

  test.each(legacyRevisions)(
    'may be missing, and the session knows: %s [HVER-03] [R0326-14]',
    async (revision) => {
      await using endpoint = await openEndpoint(entry, createSampleServer().server)
      const session = await endpoint.open({ revision })

      const plain = await endpoint.call('count', { session })
      const named = await endpoint.call('count', { session, id: 2, headers: version(revision) })

      expect([plain.status, named.status]).toEqual([200, 200])
    },
  )

  test('decides where there are no sessions; without it that is 2025-03-26 [HVER-03] [XREV-12]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      sessions: 'off',
    })

    const bare = await endpoint.post([ping(1), ping(2)])
    const named = await endpoint.post([ping(1)], { headers: version('2025-06-18') })
    const wrong = await endpoint.post(ping(1), { headers: version('foo') })

    expect(await bare.json()).toHaveLength(2)
    expect([named.status, wrong.status]).toEqual([400, 400])
  })
})

describeEntries('a batch', (entry) => {
  test('of requests is answered by an array, or by a stream with an answer for each [R0326-07] [R0326-09] [R0326-10] [R0326-12]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open({ revision: '2025-03-26' })
    const body = [ping(1), call('two', 'count'), { jsonrpc: '2.0', method: 'notifications/x' }]

    const array = await endpoint.post(body, { session })
    const stream = await endpoint.post(body, { session, headers: { accept: 'text/event-stream' } })

    expect((await array.json()) as object[]).toHaveLength(2)
    const messages = messagesOf(await eventsOf(stream).rest())
    expect(messages.map(({ id }) => id)).toEqual([1, 'two'])
  })

  test('of notifications or responses alone gets 202 [R0326-08]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open({ revision: '2025-03-26' })
    const note = { jsonrpc: '2.0', method: 'notifications/x' }
    const response = { jsonrpc: '2.0', id: 9, result: {} }

    const [notes, responses] = await Promise.all([
      endpoint.post([note, note], { session }),
      endpoint.post([response], { session }),
    ])

    expect([notes.status, responses.status]).toEqual([202, 202])
    expect([await notes.text(), await responses.text()]).toEqual(['', ''])
  })

  test('with bad members has an error for each, and runs the good ones [R0326-05]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open({ revision: '2025-03-26' })

    const mixed = await endpoint.post([1, { jsonrpc: '1.0', id: 'old', method: 'ping' }, ping(1)], {
      session,
    })
    const bad = await endpoint.post([1, 2], { session })
    const empty = await endpoint.post([], { session })

    expect(await mixed.json()).toMatchObject([
      { error: { code: -32600 } },
      { id: 'old', error: { code: -32600 } },
      { id: 1, result: {} },
    ])
    expect([bad.status, empty.status]).toEqual([400, 400])
    expect(await bad.json()).toHaveLength(2)
    expect(await empty.json()).toMatchObject({ error: { message: 'an empty batch' } })
  })

  test('with an id twice, or one that is cancelled twice, answers the others', async () => {
    const { server, release, calls } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open({ revision: '2025-03-26' })
    const answering = endpoint.post([call(1, 'hang'), call(1, 'count'), call(2, 'hang')], {
      session,
    })
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    await expect.poll(() => calls.hang).toBe(2)

    await endpoint.post([cancel, cancel], { session })
    release()

    expect(await (await answering).json()).toMatchObject([
      { error: { message: 'the request id 1 is still in use' } },
      { id: 2, result: {} },
    ])
    expect(calls.count).toBe(0)
  })

  test('with initialize in it is refused, and so is any before a session [R0326-03] [XREV-11]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open({ revision: '2025-03-26' })

    const inside = await endpoint.post([initialize(), ping(1)], { session })
    const before = await endpoint.post([initialize('2025-03-26')])

    expect([inside.status, before.status]).toEqual([400, 400])
  })

  test('of more messages than limits.batchMessages is refused as a whole', async () => {
    const { server, calls } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { limits: { batchMessages: 2 } })
    const session = await endpoint.open({ revision: '2025-03-26' })

    const response = await endpoint.post([call(1, 'count'), 2, 3], { session })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { data: { limit: 'batchMessages', allowed: 2, seen: 3 } },
    })
    expect(calls.count).toBe(0)
  })

  test('whose answers are too long has errors for the last, and gives its places back', async () => {
    const { server } = createSampleServer()
    server.tool('large', {}, () => 'x'.repeat(600))
    await using endpoint = await openEndpoint(entry, server, {
      limits: { batchBytes: 1_000, inFlight: 3 },
      sessions: 'off',
    })
    const large = [1, 2, 3].map((id) => call(id, 'large'))

    for (const _ of [1, 2]) {
      const response = await endpoint.post(large, { headers: version('2025-03-26') })
      const [first, ...rest] = (await response.json()) as object[]

      expect(first).toMatchObject({ id: 1, result: {} })
      expect(rest).toMatchObject(
        [2, 3].map((id) => ({ id, error: { data: { limit: 'batchBytes', allowed: 1_000 } } })),
      )
    }
  })

  test('of long work lets others in between', async () => {
    const { server } = createSampleServer()
    const order: string[] = []
    server.tool('work', {}, () => {
      if (order.length === 0) setImmediate(() => order.push('other'))
      order.push('work')
      for (const until = performance.now() + 6; performance.now() < until;);
      return 'done'
    })
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open({ revision: '2025-03-26' })

    const batch = [1, 2, 3].map((id) => call(id, 'work'))
    const response = await endpoint.post(batch, { session })

    expect((await response.json()) as object[]).toHaveLength(3)
    expect(order).toHaveLength(4)
    expect(order.indexOf('other')).toBeLessThan(3) // before the last of them
  })

  test.each(['2025-06-18', '2024-11-05'])(
    'is refused in %s [XREV-11] [HPOST-03]',
    async (revision) => {
      await using endpoint = await openEndpoint(entry, createSampleServer().server)
      const session = await endpoint.open({ revision })

      const response = await endpoint.post([ping(1)], { session })

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: -32600 } })
    },
  )
})

describe.each(legacyRevisions)('in %s', (revision) => {
  describeEntries('Streamable HTTP', (entry) => {
    test('works the same: sessions, listening, ending [R0326-15] [XREV-13]', async () => {
      await using endpoint = await openEndpoint(entry, createSampleServer().server)
      const session = await endpoint.open({ revision })
      const listening = await endpoint.listen(session)

      const called = await endpoint.call('count', { session })
      const foreign = await endpoint.call('count', {
        session,
        headers: { origin: 'http://evil.example' },
      })
      const ended = await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })

      expect([called.status, foreign.status, ended.status]).toEqual([200, 403, 204])
      expect(listening.response.status).toBe(200)
      expect((await endpoint.call('count', { session })).status).toBe(404)
    })
  })
})
