import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import {
  describeEntries,
  eventsOf,
  messagesOf,
  openEndpoint,
  ping,
} from '../../support/http-endpoint.ts'
import { createSampleServer } from '../../support/sample-server.ts'

const token = { progressToken: 'p' }

function createBusyServer() {
  const sample = createSampleServer()
  sample.server.tool('work', {}, async (_, context) => {
    await context.progress({ progress: 1, message: 'one' })
    context.log('info', 'working')
    await context.progress({ progress: 2, message: 'two' })
    return 'done'
  })
  sample.server.tool('ask', {}, async (_, context) => `${(await context.listRoots()).length} roots`)
  return sample
}

describeEntries('a POST', (entry) => {
  test('with a request is answered by JSON holding one object [HTTP-01] [HPOST-07]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open()

    const response = await endpoint.call('count', { session })

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: '1' }] },
    })
  })

  test('becomes a stream when something comes before the result, and ends after it [HPOST-07] [HPOST-09] [HPOST-10] [HPOST-12] [HPOST-13]', async () => {
    await using endpoint = await openEndpoint(entry, createBusyServer().server)
    const session = await endpoint.open()

    const response = await endpoint.call('work', { session, meta: token })
    const events = await eventsOf(response).rest()

    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toContain('no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(messagesOf(events).map(({ method, id }) => method ?? id)).toEqual([
      'notifications/progress',
      'notifications/message',
      'notifications/progress',
      1,
    ])
  })

  test('sends default events with one message each [DEC-24]', async () => {
    await using endpoint = await openEndpoint(entry, createBusyServer().server)
    const session = await endpoint.open()

    const events = await eventsOf(await endpoint.call('work', { session, meta: token })).rest()

    expect(events.every(({ event }) => event === undefined)).toBe(true)
    expect(events).toHaveLength(4)
  })

  test('carries what belongs to its call, and nothing of another [HPOST-11] [HMULTI-02]', async () => {
    await using endpoint = await openEndpoint(entry, createBusyServer().server)
    const session = await endpoint.open()

    const [a, b] = await Promise.all([
      endpoint.call('work', { session, id: 'a', meta: { progressToken: 'of a' } }),
      endpoint.call('work', { session, id: 'b', meta: { progressToken: 'of b' } }),
    ])
    const [ofA, ofB] = await Promise.all([eventsOf(a).rest(), eventsOf(b).rest()])

    expect(JSON.stringify(ofA)).not.toContain('of b')
    expect(JSON.stringify(ofB)).not.toContain('of a')
    expect([messagesOf(ofA).at(-1)?.id, messagesOf(ofB).at(-1)?.id]).toEqual(['a', 'b'])
  })

  test('may carry a question, which is answered by another POST [HPOST-10]', async () => {
    await using endpoint = await openEndpoint(entry, createBusyServer().server)
    const session = await endpoint.open({ capabilities: { roots: {} } })
    const events = eventsOf(await endpoint.call('ask', { session }))
    const inputRequest = await events.message()

    const taken = await endpoint.post(
      { jsonrpc: '2.0', id: inputRequest.id, result: { roots: [] } },
      { session },
    )

    expect(inputRequest).toMatchObject({ method: 'roots/list' })
    expect(taken.status).toBe(202)
    expect(await events.message()).toMatchObject({ result: { content: [{ text: '0 roots' }] } })
    expect(await events.next()).toBeUndefined()
  })

  test('with a notification or a response is accepted by 202 without a body [HPOST-04]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open()

    const answers = await Promise.all([
      endpoint.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { session }),
      endpoint.post({ jsonrpc: '2.0', id: 77, result: {} }, { session }),
      endpoint.post({ jsonrpc: '2.0', id: 77, error: { code: 1, message: 'x' } }, { session }),
    ])

    for (const answer of answers) {
      expect(answer.status).toBe(202)
      expect(await answer.text()).toBe('')
    }
  })

  test.each([
    ['a notification that is none', { jsonrpc: '2.0', method: 'notifications/x', params: [] }],
    ['a result that is none', { jsonrpc: '2.0', id: 1, result: null }],
    ['no JSON', '{'],
    ['an array', [ping(1)]],
  ])(
    'is refused by 400 and an error without an id: %s [HPOST-03] [HPOST-05] [HPOST-06]',
    async (_, body) => {
      await using endpoint = await openEndpoint(entry, createSampleServer().server)
      const session = await endpoint.open()

      const response = await endpoint.post(body, { session })

      expect(response.status).toBe(400)
      const answer = (await response.json()) as object
      expect(answer).toMatchObject({
        jsonrpc: '2.0',
        error: { code: expect.any(Number) as number },
      })
      expect(answer).not.toHaveProperty('id')
    },
  )

  test('names the request it refuses, where it can be read [DEC-05]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)

    const early = await endpoint.post(ping('early'))
    const wrong = await endpoint.post({ jsonrpc: '1.0', id: 'wrong', method: 'ping' })
    const bare = await endpoint.post({ jsonrpc: '2.0', id: 'bare', method: 'initialize' })

    expect([early.status, wrong.status, bare.status]).toEqual([400, 400, 200])
    expect(await early.json()).toMatchObject({ id: 'early', error: { code: -32600 } })
    expect(await wrong.json()).toMatchObject({ id: 'wrong', error: { code: -32600 } })
    expect(await bare.json()).toMatchObject({ id: 'bare', error: { code: -32602 } })
  })

  test.each([
    ['application/json', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/*;q=0.5', 'text/event-stream'],
    ['*/*', 'application/json'],
    ['application/json, text/event-stream;q=0', 'application/json'],
  ])('with Accept: %s is answered by %s [HPOST-02]', async (accept, type) => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)
    const session = await endpoint.open()

    const response = await endpoint.call('count', { session, headers: { accept } })

    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.text()).toContain('"result"')
  })

  test('whose caller reads JSON only gets no progress, and cannot be asked [HPOST-02]', async () => {
    await using endpoint = await openEndpoint(entry, createBusyServer().server)
    const session = await endpoint.open({ capabilities: { roots: {} } })
    const headers = { accept: 'application/json' }

    const work = await endpoint.call('work', { session, headers, meta: token })
    const ask = await endpoint.call('ask', { session, headers })

    expect(await work.json()).toMatchObject({ result: { content: [{ text: 'done' }] } })
    expect(await ask.json()).toMatchObject({ result: { isError: true } })
  })

  test.each([
    [{ accept: 'text/html' }, 406],
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': 'application/json-patch+json' }, 415],
    [{ 'content-type': 'application/json; charset=utf-16' }, 415],
    [{ 'content-encoding': 'gzip' }, 415],
  ])('with %o is refused by %i [HPOST-02]', async (headers, status) => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)

    const response = await endpoint.post(ping(1), {
      headers,
    })

    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code: -32600 } })
  })

  test('becomes a stream when its call takes long, so that nothing in between takes it for dead', async () => {
    const clock = createVirtualClock()
    const { server, release } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, { clock, keepAliveMs: 1_000 })
    const session = await endpoint.open()
    const calling = endpoint.call('hang', { session })
    await vi.waitFor(() => expect(endpoint.service.health().inFlight).toBe(1))

    await clock.advance(1_000)
    const events = eventsOf(await calling)
    await clock.advance(3_000)
    release()

    expect(messagesOf(await events.rest())).toHaveLength(1)
    expect(events.seen.filter(({ comment }) => comment === 'keep-alive')).toHaveLength(3)
  })

  test("an author's own number is no status", async () => {
    const { RpcError } = await import('../../../src/rpc/errors/rpc-error.ts')
    const server = createServer({ name: 'own', version: '1.0.0' })
    server.prompt('missing', {}, () => {
      throw new RpcError('other', 'no such thing', { wireCode: 404 })
    })
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()
    const request = { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'missing' } }

    const response = await endpoint.post(request, { session })

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ error: { code: 404 } })
  })

  test('answers when the result has no JSON', async () => {
    const server = createServer({ name: 'own', version: '1.0.0' })
    server.tool('odd', {}, () => ({ content: [], _meta: { 'a.example/n': 1n } }))
    await using endpoint = await openEndpoint(entry, server)
    const session = await endpoint.open()

    const response = await endpoint.call('odd', { session })

    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32603 } })
  })
})
