import type { HttpGuard, HttpOptions } from '@parley/mcp/http'
import { testAuth } from '@parley/mcp/testing'
import { describe, expect, test, vi } from 'vitest'

import { legacyRevisions } from '../../../src/wire/revisions.ts'
import {
  describeEntries,
  eventsOf,
  initialize,
  openEndpoint,
  ping,
  type Endpoint,
  type Entry,
} from '../../support/http-endpoint.ts'
import { createSampleServer } from '../../support/sample-server.ts'

const accept = { accept: 'text/event-stream' }
const openOld = (entry: Entry, options: HttpOptions = {}) => {
  const sample = createSampleServer()
  return openEndpoint(entry, sample.server, { legacySse: true, ...options })
}

async function connect(
  endpoint: Endpoint,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const response = await endpoint.ask({
    path: '/mcp/sse',
    headers: { ...accept, ...headers },
    ...(signal && { signal }),
  })
  const events = eventsOf(response)
  const first = await events.next()
  return { response, events, first, path: first?.data ?? '' }
}

describeEntries('HTTP+SSE of 2024-11-05', (entry) => {
  test('has two endpoints, and says first where to send [R1105-01] [R1105-02] [R1105-09] [HCOMPAT-01] [XREV-18]', async () => {
    await using endpoint = await openOld(entry)

    const [one, two] = [await connect(endpoint), await connect(endpoint)]

    expect(one.response.headers.get('content-type')).toBe('text/event-stream')
    expect(one.first?.event).toBe('endpoint')
    expect(one.path).toMatch(/^\/mcp\/message\?sessionId=[0-9a-f]{64}$/)
    expect(two.path).not.toBe(one.path)
    expect((await endpoint.post(initialize())).status).toBe(200) // the new one is beside it
  })

  describe.each(legacyRevisions)('negotiating %s', (revision) => {
    test('answers on the stream, as events named message; a POST only says it was taken [R1105-05] [R1105-06] [XREV-13]', async () => {
      await using endpoint = await openOld(entry)
      const { events, path } = await connect(endpoint)

      const taken = await endpoint.post(initialize(revision), { path })
      const serverInfo = await events.next()
      await endpoint.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { path })
      await endpoint.call('count', { path })
      const result = await events.next()

      expect(taken.status).toBe(202)
      expect(await taken.text()).toBe('')
      expect(taken.headers.get('mcp-session-id')).toBeNull()
      expect([serverInfo?.event, result?.event]).toEqual(['message', 'message'])
      expect(JSON.parse(serverInfo?.data ?? '')).toMatchObject({
        result: { protocolVersion: revision },
      })
      expect(JSON.parse(result?.data ?? '')).toMatchObject({ id: 1, result: {} })
      expect(events.seen.every(({ id }) => id === undefined)).toBe(true)
    })
  })

  test('answers what is no message on the stream as well', async () => {
    await using endpoint = await openOld(entry)
    const { events, path } = await connect(endpoint)

    const taken = await endpoint.post('{', { path })

    expect(taken.status).toBe(202)
    expect(await events.message()).toMatchObject({ error: { code: -32700 } })
  })

  test('ends with its connection: the path means nothing afterwards [R1105-08]', async () => {
    await using endpoint = await openOld(entry)
    const leave = new AbortController()
    const { path, events } = await connect(endpoint, {}, leave.signal)
    const reading = events.next().catch(() => undefined)
    expect((await endpoint.post(ping(1), { path })).status).toBe(202)

    if (entry === 'node') leave.abort()
    else await endpoint.service.drain({ deadlineMs: 0 })
    await reading

    await vi.waitFor(async () => expect((await endpoint.post(ping(2), { path })).status).toBe(404))
    expect(endpoint.service.health().sessions).toBe(0)
  })

  test('checks Origin and the caller on both endpoints [R1105-07]', async () => {
    const auth: HttpGuard = {
      authenticate: async ({ header }) => {
        const subject = header('authorization')
        return subject === undefined
          ? { kind: 'deny', status: 401, headers: {}, message: 'no' }
          : { kind: 'allow', auth: testAuth({ subject }) }
      },
    }
    await using endpoint = await openOld(entry, { auth })
    const { path } = await connect(endpoint, { authorization: 'ada' })
    const evil = { origin: 'http://evil.example', authorization: 'ada' }

    const statuses = [
      await endpoint.ask({ path: '/mcp/sse', headers: { ...accept, ...evil } }),
      await endpoint.post(ping(1), { path, headers: evil }),
      await endpoint.ask({ path: '/mcp/sse', headers: accept }),
      await endpoint.post(ping(1), { path }),
      await endpoint.post(ping(1), { path, headers: { authorization: 'bob' } }),
    ]

    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 401, 401, 404])
  })

  test('leaves other methods to the endpoint, and refuses other types and too many connections', async () => {
    await using endpoint = await openOld(entry, { maxSessions: 1 })
    const { path } = await connect(endpoint)

    const statuses = [
      await endpoint.post(ping(1), { path: '/mcp/sse' }),
      await endpoint.ask({ path }),
      await endpoint.post(ping(1), { path: '/mcp/message' }),
      await endpoint.post(ping(1), { path, headers: { 'content-type': 'text/plain' } }),
      await endpoint.ask({ path: '/mcp/sse', headers: accept }),
    ]

    expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400, 415, 503])
  })

  test.each(['/sse', '/message', '/a/sse'])('does not hide an endpoint at %s', async (path) => {
    await using endpoint = await openOld(entry, { url: `http://localhost${path}` })

    const opened = await endpoint.post(initialize(), { path })
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    const listening = await endpoint.ask({ path, headers: { ...accept, ...headers } })
    const ended = await endpoint.ask({ method: 'DELETE', path, headers })

    expect([opened.status, listening.status, ended.status]).toEqual([200, 200, 204])
  })

  test('can be at the very path of the endpoint, where old clients know it', async () => {
    await using endpoint = await openOld(entry, { url: 'http://localhost/sse' })
    const events = eventsOf(await endpoint.ask({ path: '/sse', headers: accept }))
    const { data: path = '' } = (await events.next()) ?? {}

    const taken = await endpoint.post(initialize(), { path })

    expect(path).toMatch(/^\/sse\?sessionId=/)
    expect(taken.status).toBe(202)
    expect(await events.message()).toMatchObject({ id: 0, result: {} })
  })

  test('is there on request only', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)

    const response = await endpoint.ask({ path: '/mcp/sse', headers: accept })

    expect(response.status).toBe(400) // the endpoint itself, which misses a session
  })

  test('asks, hears the answer, and tells what changes', async () => {
    const { server } = createSampleServer()
    server.tool('ask', {}, async (_, context) => `${(await context.listRoots()).length} roots`)
    await using endpoint = await openEndpoint(entry, server, { legacySse: true })
    const { events, path } = await connect(endpoint)
    await endpoint.post(initialize('2024-11-05', { roots: {} }), { path })
    await events.next()
    await endpoint.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { path })
    await endpoint.call('ask', { path })
    const inputRequest = await events.message()

    await endpoint.post({ jsonrpc: '2.0', id: inputRequest.id, result: { roots: [] } }, { path })
    const answer = await events.message()
    server.tool('more', {}, () => 'x')

    expect(answer).toMatchObject({ id: 1, result: { content: [{ text: '0 roots' }] } })
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
  })
})
