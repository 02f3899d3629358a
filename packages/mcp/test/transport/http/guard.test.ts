import { RpcError } from '@parley/mcp'
import { createMcpHandler, type HttpGuard, type GuardedOperation } from '@parley/mcp/http'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { testAuth } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import {
  askByHand,
  describeEntries,
  eventsOf,
  initialize,
  messagesOf,
  openEndpoint,
} from '../../support/http-endpoint.ts'
import { openStandaloneEndpoint } from '../../support/modern-http.ts'

const url = 'https://notes.example.com/mcp'

/** Lets everybody in, wants `base` of everything, and remembers what it was asked. */
function createGuard(
  scopes: readonly string[],
): HttpGuard & { readonly asked: GuardedOperation[] } {
  const asked: GuardedOperation[] = []
  return {
    asked,
    async authenticate({ resource, header }) {
      const subject = header('Authorization') ?? 'ada'
      return { kind: 'allow', auth: testAuth({ subject, scopes, audience: [`${resource?.href}`] }) }
    },
    authorize(auth, operation) {
      asked.push(operation)
      const needed = ['base', ...operation.scopes]
      if (auth && needed.every((scope) => auth.scopes.has(scope))) return { kind: 'allow' }
      return {
        kind: 'deny',
        status: auth ? 403 : 401,
        headers: { 'www-authenticate': `Own scope="${needed.join(' ')}"` },
        message: 'not you',
      }
    },
  }
}

function createNotes() {
  const ran: string[] = []
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('read', { scopes: ['read'] }, () => void ran.push('read'))
  server.tool('by_argument', { scopes: () => ['late'] }, () => void ran.push('by_argument'))
  server.tool('inside', { scopes: ['read'] }, (_, { requireScopes }) => requireScopes(['admin']))
  server.tool('hidden', { scopes: ['secret'], visible: () => false }, () => 'never')
  server.tool('talks', {}, async (_, { progress, requireScopes }) => {
    await progress({ progress: 1 })
    requireScopes(['admin'])
  })
  server.tool('unknown_user', {}, () => {
    throw new RpcError('unauthorized', 'no account')
  })
  server.resource('note://1', { scopes: ['read'] }, () => 'one')
  server.prompt('write', { scopes: ['write'] }, () => 'write')
  return { server, ran }
}

describeEntries('a guard that is asked about operations', (entry) => {
  test('refuses before the handler, naming all that is needed in its own challenge [N07-AUTH-09] [ASEC-18]', async () => {
    const { server, ran } = createNotes()
    const guard = createGuard(['base'])
    await using endpoint = await openEndpoint(entry, server, { auth: guard })
    const session = await endpoint.open()

    const fixed = await endpoint.call('read', { session })
    const late = await endpoint.call('by_argument', { session })

    expect([fixed.status, late.status]).toEqual([403, 403])
    expect(fixed.headers.get('www-authenticate')).toBe('Own scope="base read"')
    expect(late.headers.get('www-authenticate')).toBe('Own scope="base late"')
    expect(await fixed.json()).toMatchObject({
      id: 1,
      error: { code: 403, data: { reason: 'insufficient_scope', scopes: ['read'] } },
    })
    expect(ran).toEqual([])
  })

  test('is told method, name and resource, of what is asked without scopes too', async () => {
    const { server } = createNotes()
    const guard = createGuard(['base', 'read', 'write'])
    await using endpoint = await openStandaloneEndpoint(entry, server, {
      auth: guard,
      url,
    })

    await endpoint.ask2026('tools/list', {})
    await endpoint.ask2026('tools/call', { name: 'read' })
    await endpoint.ask2026('resources/read', { uri: 'note://1' })
    await endpoint.ask2026('prompts/get', { name: 'write' })

    const first = new Map(guard.asked.map(({ method, name, scopes }) => [method, { name, scopes }]))
    expect(first).toEqual(
      new Map([
        ['tools/list', { name: undefined, scopes: [] }],
        ['tools/call', { name: 'read', scopes: ['read'] }],
        ['resources/read', { name: 'note://1', scopes: ['read'] }],
        ['prompts/get', { name: 'write', scopes: ['write'] }],
      ]),
    )
    expect(guard.asked.every(({ resource }) => resource?.href === url)).toBe(true)
  })

  test('refuses a request that stands for itself in the same way', async () => {
    const { server, ran } = createNotes()
    await using endpoint = await openStandaloneEndpoint(entry, server, {
      auth: createGuard(['base']),
    })

    const rejected = await endpoint.ask2026('tools/call', { name: 'read' })
    const listed = await endpoint.ask2026('tools/list', {})

    expect([rejected.status, listed.status]).toEqual([403, 200])
    expect(rejected.headers.get('www-authenticate')).toBe('Own scope="base read"')
    expect(ran).toEqual([])
  })

  test('also refuses the handshake', async () => {
    await using endpoint = await openEndpoint(entry, createNotes().server, {
      auth: createGuard([]),
    })

    const answer = await endpoint.post(initialize())

    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toBe('Own scope="base"')
    expect(answer.headers.has('mcp-session-id')).toBe(false)
  })

  test('what a handler requires adds to what its feature needs', async () => {
    await using endpoint = await openEndpoint(entry, createNotes().server, {
      auth: createGuard(['base', 'read']),
    })
    const session = await endpoint.open()

    const answer = await endpoint.call('inside', { session })

    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toBe('Own scope="base read admin"')
  })

  test('a status is refused to callers that read events only, too', async () => {
    await using endpoint = await openEndpoint(entry, createNotes().server, {
      auth: createGuard(['base']),
    })
    const session = await endpoint.open()

    const answer = await endpoint.call('read', {
      session,
      headers: { accept: 'text/event-stream' },
    })

    expect(answer.status).toBe(403)
  })

  test('after the first byte a lack of scopes is a tool error with the same data', async () => {
    const { server } = createNotes()
    await using legacy = await openEndpoint(entry, server, { auth: createGuard(['base']) })
    const session = await legacy.open()
    const meta = { progressToken: 1 }

    await using modern = await openStandaloneEndpoint(entry, server, {
      auth: createGuard(['base']),
    })
    const alone = await modern.ask2026('tools/call', { name: 'talks' }, { meta })

    const messages = messagesOf(
      await eventsOf(await legacy.call('talks', { session, meta })).rest(),
    )

    for (const answer of [messages.at(-1), alone]) {
      expect(answer).toMatchObject({
        result: {
          isError: true,
          content: [{ type: 'text', text: 'not you' }],
          _meta: { 'parley/error': { reason: 'insufficient_scope', scopes: ['admin'] } },
        },
      })
    }
    expect(alone.status).toBe(200)
  })

  test('a hidden tool is unknown, whatever scopes it has', async () => {
    await using endpoint = await openEndpoint(entry, createNotes().server, {
      auth: createGuard(['base']),
    })
    const session = await endpoint.open()

    const [hidden, missing] = await Promise.all([
      endpoint.call('hidden', { session, id: 1 }),
      endpoint.call('missing', { session, id: 2 }),
    ])

    expect([hidden.status, missing.status]).toEqual([200, 200])
    expect(await hidden.json()).toMatchObject({ error: { message: 'unknown tool: hidden' } })
  })

  test('challenges for what an author refuses', async () => {
    await using endpoint = await openEndpoint(entry, createNotes().server, {
      auth: createGuard(['base']),
    })
    const session = await endpoint.open()

    const answer = await endpoint.call('unknown_user', { session })

    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Own scope="base"')
  })

  test('that cannot find out says so with 503, and reports why', async () => {
    const reported: unknown[] = []
    const cause = new Error('the issuer is away')
    await using endpoint = await openEndpoint(entry, createNotes().server, {
      auth: {
        authenticate: async () => ({
          kind: 'deny',
          status: 503,
          headers: { 'retry-after': '5' },
          message: 'try again',
          cause,
        }),
      },
      onError: (error) => reported.push(error),
    })

    const answer = await endpoint.post(initialize())

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(reported).toEqual([cause])
  })
})

describeEntries('paths of a guard', (entry) => {
  const routed: HttpGuard = {
    authenticate: async () => ({ kind: 'deny', status: 401, headers: {}, message: 'no' }),
    async route(request, resource) {
      const { pathname, origin } = new URL(request.url)
      if (pathname !== '/pages/form') return undefined
      const headers = new Headers([
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ])
      return new Response(`${origin} ${resource.href} ${await request.text()}`, {
        status: 201,
        headers,
      })
    },
  }

  test('are answered without a credential, at the public origin', async () => {
    await using endpoint = await openEndpoint(entry, createNotes().server, { auth: routed, url })

    const answer = await endpoint.ask({
      method: 'POST',
      path: '/pages/form?x=1',
      headers: { origin: 'https://elsewhere.example' },
      body: 'a=b',
    })

    expect(answer.status).toBe(201)
    expect(await answer.text()).toBe(`https://notes.example.com ${url} a=b`)
    expect(answer.headers.get('set-cookie')).toMatch(/^a=1, ?b=2$/)
  })

  test('that it does not know are the endpoint, whose body is still there', async () => {
    const guard = { ...createGuard(['base']), route: routed.route }
    await using endpoint = await openEndpoint(entry, createNotes().server, {
      auth: { ...guard, route: async () => undefined },
      url,
    })

    expect((await endpoint.post(initialize(), { path: '/elsewhere' })).status).toBe(200)
  })

  test('are refused to other hosts, and need the public URL', async () => {
    await using endpoint = await openEndpoint(entry, createNotes().server, { auth: routed, url })

    const rebound = await endpoint.ask({
      method: 'POST',
      path: '/pages/form',
      headers: { host: 'evil.example' },
      body: '',
    })

    expect(rebound.status).toBe(403)
    expect(() => createMcpHandler(createNotes().server, { auth: routed })).toThrow(/auth needs url/)
  })
})

test('a listening server asks the guard about other paths, and keeps health open', async () => {
  const guard: HttpGuard = {
    authenticate: async () => ({ kind: 'deny', status: 401, headers: {}, message: 'no' }),
    route: async (request) =>
      new URL(request.url).pathname === '/meta' ? new Response('yes') : undefined,
  }
  await using service = await serveHttp(createNotes().server, {
    port: 0,
    ownsProcess: false,
    url,
    auth: guard,
  })
  const port = Number(service.url.port)
  const statusOf = async (path: string, method = 'GET') =>
    (await askByHand(port, { path, method })).status

  expect(await statusOf('/meta')).toBe(200)
  expect(await statusOf('/nowhere')).toBe(404)
  expect(await statusOf('/mcp')).toBe(401)
  expect(await statusOf('/mcp', 'OPTIONS')).toBe(204)
  expect(await statusOf('/healthz')).toBe(200)
  expect(await statusOf('/readyz')).toBe(200)
})
