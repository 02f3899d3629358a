import { createServer, type Server } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { describeEntries, eventsOf } from '../support/http-endpoint.ts'
import { openStandaloneEndpoint, readAnswer } from '../support/modern-http.ts'
import { as, nameGuard } from '../support/name-guard.ts'

const modern = { revisions: ['2026-07-28'] } as const

function createTalking(): Server {
  const server = createServer({ name: 'talks', version: '1', onError: () => undefined })
  server.tool('talk', {}, async (_, context) => {
    await context.progress({ progress: 1 })
    return 'talked'
  })
  server.tool('quiet', {}, () => 'quiet')
  server.tool('slow', {}, () => new Promise(() => undefined))
  server.tool('scoped', { scopes: ['write'] }, () => 'written')
  return server
}

describeEntries('one endpoint', (entry) => {
  test('answers a POST with JSON where nothing comes before the result [N07-HTTP-01]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking())

    const response = await endpoint.send('tools/call', { name: 'quiet' })

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.has('mcp-session-id')).toBe(false)
    expect(await response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'quiet' }] } })
  })

  test('and with a stream where something does: it is not held back, has no ids, and the result ends it [N07-HTTP-05, N07-HTTP-06]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking())

    const response = await endpoint.send(
      'tools/call',
      { name: 'talk' },
      { meta: { progressToken: 1 } },
    )
    const events = eventsOf(response)
    const rest = await events.rest()

    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.has('mcp-session-id')).toBe(false)
    expect(rest).toHaveLength(2)
    expect(JSON.parse(rest[1]?.data ?? '')).toMatchObject({ id: 1, result: {} })
    for (const event of events.seen) expect(event).not.toHaveProperty('id')
  })

  test.each([
    ['application/json', 'application/json', 1],
    ['text/event-stream', 'text/event-stream', 2],
  ])('answers who reads nothing but %s in it [N07-HTTP-03]', async (accept, type, count) => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking())

    const answer = await endpoint.ask2026(
      'tools/call',
      { name: 'talk' },
      { meta: { progressToken: 1 }, headers: { accept } },
    )

    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.result).toMatchObject({ content: [{ text: 'talked' }] })
    expect(answer.before).toHaveLength(count - 1)
  })

  test('without sessions takes nothing but POST [N07-HTTP-02]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking(), modern)

    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await endpoint.ask({
        method,
        headers: { accept: 'text/event-stream', 'mcp-session-id': 'x' },
      })
      expect([method, response.status]).toEqual([method, 405])
      expect(response.headers.get('allow')).toBe('POST, OPTIONS')
    }
  })

  test('ignores a session, and a place in a stream [N07-HTTP-02, N07-HTTP-06]', async () => {
    for (const options of [modern, {}]) {
      await using endpoint = await openStandaloneEndpoint(entry, createTalking(), options)

      const answer = await endpoint.ask2026(
        'tools/call',
        { name: 'quiet' },
        { headers: { 'mcp-session-id': 'made up', 'last-event-id': '7' } },
      )

      expect(answer).toMatchObject({ status: 200, result: { resultType: 'complete' } })
      expect(answer.headers.has('mcp-session-id')).toBe(false)
      expect(endpoint.service.health().sessions).toBe(0)
    }
  })

  test('takes a notification without a word, and asks no headers of it [N07-HTTP-04]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking(), modern)

    for (const headers of [{}, { 'mcp-protocol-version': '2026-07-28' }]) {
      const message = { jsonrpc: '2.0', method: 'notifications/whatever' }
      const response = await endpoint.post(message, { headers })
      expect(response.status).toBe(202)
      expect(await response.text()).toBe('')
    }
  })

  test('refuses a page it does not know, before anything else [N07-HTTP-07]', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking())

    const foreign = await endpoint.ask2026(
      'tools/list',
      {},
      { headers: { origin: 'https://evil.example' } },
    )
    const local = await endpoint.ask2026(
      'tools/list',
      {},
      { headers: { origin: 'http://localhost' } },
    )

    expect(foreign.status).toBe(403)
    expect(local.status).toBe(200)
  })

  test('knows who calls by each request alone', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking(), { auth: nameGuard })
    const call = (name: string, headers: Record<string, string>) =>
      endpoint.ask2026('tools/call', { name }, { headers })

    expect((await call('quiet', as('ada'))).status).toBe(200)
    expect((await call('quiet', {})).status).toBe(401)
    const poor = await call('scoped', as('ada'))
    expect(poor.status).toBe(403)
    expect(poor.headers.get('www-authenticate')).toContain('scope="write"')
    expect((await call('scoped', as('ada+write'))).status).toBe(200)
  })

  test('lets a page send the headers that repeat a request', async () => {
    const origin = 'https://app.example'
    await using endpoint = await openStandaloneEndpoint(entry, createTalking(), {
      allowedOrigins: [origin],
    })

    const response = await endpoint.ask({
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'mcp-method,mcp-name,mcp-param-tenant,mcp-protocol-version',
      },
    })
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''

    for (const header of ['mcp-method', 'mcp-name', 'mcp-param-tenant', 'mcp-protocol-version']) {
      expect(allowed.split(/,\s*/)).toContain(header)
    }
  })

  test('makes a stream of an answer that takes long, and keeps it alive', async () => {
    const clock = createVirtualClock()
    await using endpoint = await openStandaloneEndpoint(entry, createTalking(), {
      clock,
      keepAliveMs: 1_000,
    })
    const sent = endpoint.send('tools/call', { name: 'slow' })
    await expect.poll(() => endpoint.service.health().inFlight).toBe(1)

    while (endpoint.service.health().streams === 0) await clock.advance(500)
    const response = await sent

    expect(response.headers.get('content-type')).toBe('text/event-stream')
    await response.body?.cancel()
  })

  test('refuses too many requests of one caller, and new ones while it ends', async () => {
    await using endpoint = await openStandaloneEndpoint(entry, createTalking(), {
      auth: nameGuard,
      limits: { inFlight: 2 },
    })
    const hangUp = new AbortController()
    const slow = [1, 2].map((id) =>
      endpoint
        .send('tools/call', { name: 'slow' }, { id, headers: as('ada'), signal: hangUp.signal })
        .catch(() => undefined),
    )
    await expect.poll(() => endpoint.service.health().inFlight).toBe(2)

    const third = await endpoint.ask2026('tools/list', {}, { headers: as('ada') })
    const other = await endpoint.ask2026('tools/list', {}, { headers: as('bob') })
    const draining = endpoint.service.drain({ deadlineMs: 10 })
    const late = await endpoint.ask2026('tools/list', {}, { headers: as('bob') })

    expect([third.status, other.status]).toEqual([429, 200])
    expect(late).toMatchObject({ status: 503, error: { code: 503 } })
    expect(late.headers.get('retry-after')).toBe('5')
    expect(await draining).toEqual({ finished: 0, aborted: 2 })
    for (const response of await Promise.all(slow)) {
      if (response) expect(await readAnswer(response)).toMatchObject({ status: 503 })
    }
    hangUp.abort()
  })

  test('a tool that runs out of time says so in a result', async () => {
    const server = createServer({ name: 'late', version: '1', onError: () => undefined })
    server.tool(
      'late',
      { timeoutMs: 5, inputSchema: z.object({}) },
      () => new Promise(() => undefined),
    )
    await using endpoint = await openStandaloneEndpoint(entry, server)

    const answer = await endpoint.ask2026('tools/call', { name: 'late' })

    expect(answer.result).toMatchObject({ resultType: 'complete', isError: true })
  })
})
