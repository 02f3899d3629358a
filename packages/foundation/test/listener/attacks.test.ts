import { connect } from 'node:net'

import { describe, expect, test } from 'vitest'

import { listen } from './listening.ts'

const json = { 'content-type': 'application/json' }

describe('names', () => {
  test.each([
    'attacker.example',
    'attacker.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.attacker.example:PORT',
    '127.0.0.1.nip.io:PORT',
    '0.0.0.0:PORT',
    '127.0.0.1:PORT@attacker.example',
    'localhost:PORT/x',
  ])('does not answer to %j, as a rebound name would have it', async (host) => {
    await using listening = await listen()
    const named = host.replace('PORT', String(listening.listener.port))

    const page = await listening.send({ path: '/', headers: { host: named } })

    expect(page.status).toBeGreaterThanOrEqual(400)
    expect(page.text).not.toContain('<title>')
  })

  test.each(['127.0.0.1:PORT', 'localhost:PORT', '[::1]:PORT', 'LOCALHOST:PORT'])(
    'answers to %s',
    async (host) => {
      await using listening = await listen()
      const named = host.replace('PORT', String(listening.listener.port))

      expect((await listening.send({ path: '/', headers: { host: named } })).status).toBe(200)
    },
  )

  test('answers to the name a proxy in front has, if that is allowed', async () => {
    await using listening = await listen({ allowedHosts: ['inspect.example'] })

    const known = await listening.send({ path: '/', headers: { host: 'inspect.example' } })
    const other = await listening.send({ path: '/', headers: { host: 'other.example' } })

    expect([known.status, other.status]).toEqual([200, 403])
  })
})

describe('origins', () => {
  test.each([
    'http://attacker.example',
    'null',
    'http://127.0.0.1:1',
    'https://127.0.0.1:PORT',
    'http://127.0.0.1:PORT.attacker.example',
    'http://127.0.0.1:PORT/path',
    'file://',
    'chrome-extension://abcdef',
  ])('a page of %j gets nothing, although its browser sends the cookie', async (origin) => {
    await using listening = await listen()
    const own = await listening.enter()
    const headers = { ...own, origin: origin.replace('PORT', String(listening.listener.port)) }

    const posted = await listening.send({ method: 'POST', path: '/api/do', headers, body: '{}' })
    const got = await listening.send({ path: '/api/look', headers })

    expect([posted.status, got.status]).toEqual([403, 403])
    expect(listening.calls).toEqual([])
  })

  test('a page that does not say where it is from changes nothing', async () => {
    await using listening = await listen()
    const { origin: _, ...headers } = await listening.enter()

    const answer = await listening.send({ method: 'POST', path: '/api/do', headers, body: '{}' })

    expect(answer.status).toBe(403)
    expect(listening.calls).toEqual([])
  })

  test.each(['cross-site', 'same-site'])('a request marked %s is refused', async (site) => {
    await using listening = await listen()
    const own = await listening.enter()
    const headers = { ...own, 'sec-fetch-site': site }

    expect((await listening.send({ path: '/api/look', headers })).status).toBe(403)
  })

  test('no other origin is ever allowed to read', async () => {
    await using listening = await listen()

    const asked = await listening.send({
      method: 'OPTIONS',
      path: '/api/do',
      headers: {
        origin: 'http://attacker.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-parley',
      },
    })

    expect(asked.status).toBe(403)
    expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    )
  })
})

describe('bodies a form can send', () => {
  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    '',
  ])('a body of type %j does nothing', async (type) => {
    await using listening = await listen()
    const own = await listening.enter()
    const headers = { ...own, 'content-type': type }

    const answer = await listening.send({
      method: 'POST',
      path: '/api/do',
      headers,
      body: '{"a":1}',
    })

    expect(answer.status).toBe(415)
    expect(listening.calls).toEqual([])
  })

  test('without the key the cookie is worth nothing', async () => {
    await using listening = await listen()
    const { 'x-parley': key, ...headers } = await listening.enter()

    const without = await listening.send({ method: 'POST', path: '/api/do', headers, body: '{}' })
    const wrong = await listening.send({
      method: 'POST',
      path: '/api/do',
      headers: { ...headers, 'x-parley': '1' },
      body: '{}',
    })

    expect(key).toBeDefined()
    expect([without.status, wrong.status]).toEqual([401, 401])
  })
})

describe('getting in', () => {
  test('a link works once', async () => {
    await using listening = await listen()
    const { origin } = listening.listener.url
    const secret = listening.listener.createEntryUrl().hash.slice('#secret='.length)
    const enter = () =>
      listening.send({
        method: 'POST',
        path: '/api/enter',
        headers: { ...json, origin, 'x-parley': '1' },
        body: JSON.stringify({ secret }),
      })

    const first = await enter()
    const again = await enter()

    expect([first.status, again.status]).toEqual([200, 401])
    expect(first.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(again.headers['set-cookie']).toBeUndefined()
  })

  test.each(['token', 'secret', 'key', 'access_token'])(
    'a token as ?%s= is not looked at',
    async (name) => {
      await using listening = await listen()
      const { token } = listening.listener

      const answer = await listening.send({ path: `/api/look?${name}=${token}` })

      expect(answer.status).toBe(401)
    },
  )

  test.each(['', 'x', 'Bearer ', 'Bearer x', 'Basic eDp5'])(
    'a program with %j is not let in',
    async (authorization) => {
      await using listening = await listen()

      const answer = await listening.send({ path: '/api/look', headers: { authorization } })

      expect(answer.status).toBe(401)
    },
  )

  test('a cookie of another process is worth nothing here', async () => {
    await using one = await listen()
    await using other = await listen()
    const headers = await one.enter()
    const cookie =
      headers['cookie']?.replace(String(one.listener.port), String(other.listener.port)) ?? ''

    const answer = await other.send({
      path: '/api/look',
      headers: { ...headers, cookie, origin: other.listener.url.origin },
    })

    expect(answer.status).toBe(401)
  })

  test('another link is for programs, not for pages', async () => {
    await using listening = await listen()
    const headers = await listening.enter()
    const authorization = `Bearer ${listening.listener.token}`

    const page = await listening.send({ method: 'POST', path: '/api/entry', headers, body: '{}' })
    const program = await listening.send({
      method: 'POST',
      path: '/api/entry',
      headers: { ...json, authorization },
      body: '{}',
    })

    expect([page.status, program.status]).toEqual([403, 200])
    expect(program.text).toContain('#secret=')
  })

  test('who guesses is slowed down', async () => {
    await using listening = await listen({ limits: { rejectedBurst: 3, rejectedPerSecond: 0 } })

    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await listening.send({ path: '/api/look' })).status)
    }

    expect(statuses).toEqual([401, 401, 401, 429, 429])
  })

  test('what fails inside says nothing about the inside', async () => {
    await using listening = await listen()
    const headers = await listening.enter()

    const answer = await listening.send({ method: 'POST', path: '/api/fail', headers, body: '{}' })

    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('secret')
  })

  test('the page itself holds no secret', async () => {
    await using listening = await listen()
    const entry = listening.listener.createEntryUrl().hash.slice('#secret='.length)

    const page = await listening.send({ path: '/' })

    expect(page.text).not.toContain(entry)
    expect(page.text).not.toContain(listening.listener.token)
    expect(page.headers['set-cookie']).toBeUndefined()
  })
})

describe('WebSockets', () => {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  }

  async function ticketFor(
    listening: Awaited<ReturnType<typeof listen>>,
    headers: Record<string, string>,
  ) {
    const answer = await listening.send({
      method: 'POST',
      path: '/api/ticket',
      headers,
      body: '{}',
    })
    return (JSON.parse(answer.text) as { ticket: string }).ticket
  }

  test('opens for a page with its cookie and a ticket, once for each ticket', async () => {
    await using listening = await listen()
    const { cookie = '', origin = '', ...rest } = await listening.enter()
    const ticket = await ticketFor(listening, { cookie, origin, ...rest })
    const headers = { ...upgrade, cookie, origin, 'sec-websocket-protocol': `p, ticket.${ticket}` }

    const first = await listening.send({ path: '/api/channel', headers })
    const again = await listening.send({ path: '/api/channel', headers })

    expect([first.status, again.status]).toEqual([101, 401])
    expect(listening.upgrades).toHaveLength(1)
  })

  test.each([
    ['from another origin', { origin: 'http://attacker.example' }, 403],
    ['from null', { origin: 'null' }, 403],
    ['by another name', { host: 'attacker.example' }, 403],
    ['without a cookie', { cookie: '' }, 401],
    ['without a ticket', { 'sec-websocket-protocol': 'p' }, 401],
    ['with a made up ticket', { 'sec-websocket-protocol': 'p, ticket.abc' }, 401],
  ])('does not open %s', async (_, change, status) => {
    await using listening = await listen()
    const { cookie = '', origin = '', ...rest } = await listening.enter()
    const ticket = await ticketFor(listening, { cookie, origin, ...rest })
    const own = { ...upgrade, cookie, origin, 'sec-websocket-protocol': `p, ticket.${ticket}` }

    const answer = await listening.send({ path: '/api/channel', headers: { ...own, ...change } })

    expect(answer.status).toBe(status)
    expect(listening.upgrades).toEqual([])
  })

  test('does not open for who says no origin and has no token', async () => {
    await using listening = await listen()
    const { cookie = '', origin = '', ...rest } = await listening.enter()
    const ticket = await ticketFor(listening, { cookie, origin, ...rest })
    const headers = { ...upgrade, cookie, 'sec-websocket-protocol': `p, ticket.${ticket}` }

    expect((await listening.send({ path: '/api/channel', headers })).status).toBe(403)
  })

  test('a ticket ages', async () => {
    await using listening = await listen({ limits: { ticketMs: -1 } })
    const { cookie = '', origin = '', ...rest } = await listening.enter()
    const ticket = await ticketFor(listening, { cookie, origin, ...rest })
    const headers = { ...upgrade, cookie, origin, 'sec-websocket-protocol': `p, ticket.${ticket}` }

    expect((await listening.send({ path: '/api/channel', headers })).status).toBe(401)
  })

  test('a ticket in the address is not looked at', async () => {
    await using listening = await listen()
    const { cookie = '', origin = '', ...rest } = await listening.enter()
    const ticket = await ticketFor(listening, { cookie, origin, ...rest })

    const answer = await listening.send({
      path: `/api/channel?ticket=${ticket}`,
      headers: { ...upgrade, cookie, origin },
    })

    expect(answer.status).toBe(401)
  })

  test('opens for a program with the token', async () => {
    await using listening = await listen()
    const authorization = `Bearer ${listening.listener.token}`

    const answer = await listening.send({
      path: '/api/channel',
      headers: { ...upgrade, authorization },
    })

    expect(answer.status).toBe(101)
  })
})

describe('bodies', () => {
  test.each([{ 'content-length': '5000' }, { 'transfer-encoding': 'chunked' }])(
    'one that is too large is refused, %o',
    async (length) => {
      await using listening = await listen({ limits: { bodyBytes: 1000 } })
      const own = await listening.enter()
      const headers = { ...own, ...length } as Record<string, string>

      const answer = await listening
        .send({ method: 'POST', path: '/api/do', headers, body: JSON.stringify('x'.repeat(4998)) })
        .catch((error: Error) => error)

      // A peer that goes on writing may see the connection closed before it sees the answer.
      if (!(answer instanceof Error)) expect(answer.status).toBe(413)
      expect(listening.calls).toEqual([])
    },
  )

  test.each(['{', 'undefined', '', '\u0000'])('%j is refused', async (body) => {
    await using listening = await listen()
    const headers = await listening.enter()

    expect((await listening.send({ method: 'POST', path: '/api/do', headers, body })).status).toBe(
      400,
    )
  })

  test('one that comes too slowly is cut off', async () => {
    await using listening = await listen({ limits: { headersMs: 100, requestMs: 200 } })
    const headers = await listening.enter()
    const { port } = listening.listener
    const lines = Object.entries({ ...headers, host: `127.0.0.1:${port}`, 'content-length': '100' })

    const got = await raw(port, [
      'POST /api/do HTTP/1.1',
      ...lines.map(([name, value]) => `${name}: ${value}`),
      '',
      '{',
    ])

    expect(got).toContain('408')
    expect(listening.calls).toEqual([])
  })

  test('headers that come too slowly are cut off', async () => {
    await using listening = await listen({ limits: { headersMs: 100, requestMs: 200 } })

    const got = await raw(listening.listener.port, ['GET / HTTP/1.1', 'x-slow: '])

    expect(got).toContain('408')
  })

  test('headers that are too large are refused', async () => {
    await using listening = await listen({ limits: { headerBytes: 2000 } })

    const answer = await listening.send({ path: '/', headers: { 'x-large': 'x'.repeat(4000) } })

    expect(answer.status).toBe(431)
  })

  test('more requests than anybody needs are refused', async () => {
    await using listening = await listen({ limits: { burst: 2, perSecond: 0 } })

    const answers = [
      await listening.send({ path: '/' }),
      await listening.send({ path: '/' }),
      await listening.send({ path: '/' }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  })
})

/** Writes these lines, then nothing more; resolves with what came when the other side has closed. */
function raw(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let got = ''
    socket.on('connect', () => socket.write(lines.join('\r\n')))
    socket.on('data', (part) => (got += part.toString()))
    socket.on('close', () => resolve(got))
    socket.on('error', reject)
  })
}
