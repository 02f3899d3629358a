import { isMcpError } from '@parley/mcp'
import { createMcpHandler, type HttpGuard } from '@parley/mcp/http'
import { expect, test } from 'vitest'

import { describeEntries, initialize, openEndpoint, ping } from '../../support/http-endpoint.ts'
import { createSampleServer } from '../../support/sample-server.ts'

const deny: HttpGuard = {
  authenticate: async () => ({
    kind: 'deny',
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="x"' },
    message: 'no',
  }),
}

describeEntries('a foreign page', (entry) => {
  test.each(['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT'])(
    'is refused by 403 on %s, and told what to set [HTTP-03] [DEC-13] [N11-HTTP-01] [N11-BASE-02]',
    async (method) => {
      await using endpoint = await openEndpoint(entry, createSampleServer().server)

      const response = await endpoint.ask({ method, headers: { origin: 'https://evil.example' } })

      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(await response.json()).toMatchObject({
        error: {
          code: 403,
          data: { header: 'Origin', seen: 'https://evil.example', option: 'allowedOrigins' },
        },
      })
    },
  )

  test.each(['null', 'http://localhost.evil.example', 'file://', 'https://127.0.0.1.evil.example'])(
    'is refused if it calls itself %s [HTTP-03]',
    async (origin) => {
      await using endpoint = await openEndpoint(entry, createSampleServer().server)

      expect((await endpoint.post(initialize(), { headers: { origin } })).status).toBe(403)
    },
  )

  test.each([{}, { origin: 'http://localhost:5173' }, { origin: 'http://[::1]' }])(
    'is not who comes with %o [HTTP-03]',
    async (headers) => {
      await using endpoint = await openEndpoint(entry, createSampleServer().server)

      expect((await endpoint.post(initialize(), { headers })).status).toBe(200)
    },
  )

  test.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
  ])('that was bound to us by the name %s is refused [HTTP-03]', async (host) => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)

    const response = await endpoint.post(initialize(), { headers: { host } })

    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { data: { option: 'allowedHosts' } } })
  })
})

describeEntries('a named origin', (entry) => {
  const origin = 'https://app.example'
  const options = { allowedOrigins: [origin], url: 'https://api.example/mcp' }

  test('may ask first, with every header there is', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, {
      ...options,
      auth: deny,
    })

    const response = await endpoint.ask({
      method: 'OPTIONS',
      headers: {
        host: 'api.example',
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'mcp-param-city, x-other',
      },
    })

    expect(response.status).toBe(204)
    const allowed = response.headers.get('access-control-allow-headers') ?? ''
    for (const name of ['mcp-session-id', 'last-event-id', 'authorization', 'mcp-param-city']) {
      expect(allowed).toContain(name)
    }
    expect(allowed).not.toContain('x-other')
  })

  test.each([
    [{ method: 'POST' }, 415],
    [{ method: 'PUT' }, 405],
    [{ method: 'GET', headers: { accept: 'image/png' } }, 406],
    [{ method: 'DELETE', headers: { 'mcp-session-id': 'x' } }, 404],
  ])('may read the answer to %o, which is %i', async (ask, status) => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, options)

    const response = await endpoint.ask({
      ...ask,
      headers: { ...('headers' in ask && ask.headers), origin },
    })

    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-expose-headers')).toContain('Mcp-Session-Id')
    expect(response.headers.get('vary')).toBe('Origin')
  })

  test('may read a session, a stream, a 202, and being denied', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, options)
    await using guarded = await openEndpoint(entry, createSampleServer().server, {
      ...options,
      auth: deny,
    })
    const headers = { origin }
    const session = await endpoint.open({ headers })

    const answers = [
      await endpoint.post(ping(1), { session, headers }),
      await endpoint.post({ jsonrpc: '2.0', method: 'notifications/x' }, { session, headers }),
      (await endpoint.listen(session, { headers })).response,
      await guarded.post(initialize(), { headers }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 202, 200, 401])
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    }
  })
})

describeEntries('a guard', (entry) => {
  test('is asked before the body is read, on every request [SEC-03] [HTTP-05]', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server, { auth: deny })

    const answers = await Promise.all([
      endpoint.post('no JSON at all'),
      endpoint.ask({ headers: { accept: 'text/event-stream' } }),
      endpoint.ask({ method: 'DELETE' }),
    ])

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(answers[0]?.headers.get('www-authenticate')).toBe('Bearer realm="x"')
    expect(await answers[0]?.json()).toMatchObject({ error: { data: { reason: 'unauthorized' } } })
  })

  test('that fails, or gives headers that are none, is masked', async () => {
    const broken: HttpGuard = { authenticate: () => Promise.reject(new Error('a secret')) }
    const odd: HttpGuard = {
      authenticate: async () => ({
        kind: 'deny',
        status: 401,
        headers: { 'x-bad': 'a\r\nb' },
        message: 'no',
      }),
    }
    await using first = await openEndpoint(entry, createSampleServer().server, { auth: broken })
    await using second = await openEndpoint(entry, createSampleServer().server, { auth: odd })

    const masked = await first.post(initialize())
    const plain = await second.post(initialize())

    expect([masked.status, plain.status]).toEqual([500, 401])
    expect(await masked.text()).not.toContain('secret')
  })
})

test('without a guard, features with scopes are refused to everybody', async () => {
  const { server } = createSampleServer()
  server.tool('secret', { scopes: ['read'] }, () => 'it')
  await using endpoint = await openEndpoint('node', server)
  const session = await endpoint.open()

  expect((await endpoint.call('secret', { session })).status).toBe(403)
})

test('every origin is allowed only together with a guard', () => {
  const { server } = createSampleServer()

  expect(() => createMcpHandler(server, { allowedOrigins: '*' })).toThrow(
    expect.toSatisfy((error) => isMcpError(error, 'invalid_definition')),
  )
  createMcpHandler(server, { allowedOrigins: '*', auth: deny })
})

test('the host a proxy forwards is believed from a named proxy only', async () => {
  const { server } = createSampleServer()
  const headers = { host: 'inside:80', 'x-forwarded-host': 'api.example' }
  await using trusting = await openEndpoint('node', server, {
    allowedHosts: ['api.example'],
    trustedProxies: ['127.0.0.0/8'],
  })
  await using doubting = await openEndpoint('node', server, { allowedHosts: ['api.example'] })

  expect((await trusting.post(initialize(), { headers })).status).toBe(200)
  expect((await doubting.post(initialize(), { headers })).status).toBe(403)
  const claimed = { ...headers, 'x-forwarded-host': 'api.example, evil.example' }
  const written = { ...headers, 'x-forwarded-host': 'evil.example, api.example' }
  expect((await trusting.post(initialize(), { headers: claimed })).status).toBe(403)
  expect((await trusting.post(initialize(), { headers: written })).status).toBe(200)
})
