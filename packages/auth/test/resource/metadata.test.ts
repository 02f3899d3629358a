import { oauthGuard } from '@parley/auth/resource'
import { serveHttp } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { openProtected } from './protected-server.ts'
import { resource } from './signing-issuer.ts'

const places = [
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-protected-resource',
] as const

describe.each(['node', 'fetch'] as const)('the metadata of a server (%s)', (entry) => {
  test('is at both places, for everybody, from every page [AUTH-08] [ADISC-01] [AINH-02] [N11-AUTH-01]', async () => {
    await using server = await openProtected({ entry, protect: { scopes: ['notes:read'] } })

    for (const path of places) {
      const answer = await server.ask({ path, headers: { origin: 'https://any.example' } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
      expect(await answer.json()).toMatchObject({
        resource,
        authorization_servers: [server.issuer.issuer],
        scopes_supported: ['notes:read'],
        bearer_methods_supported: ['header'],
      })
    }
  })

  test('answers preflights and HEAD, and nothing else', async () => {
    await using server = await openProtected({ entry })
    const [path] = places

    const preflight = await server.ask({
      method: 'OPTIONS',
      path,
      headers: {
        origin: 'https://any.example',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    })
    const head = await server.ask({ method: 'HEAD', path })
    const post = await server.ask({ method: 'POST', path, body: {} })

    expect([preflight.status, head.status, post.status]).toEqual([204, 200, 405])
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
  })
})

test('names the scopes of features, if that is asked for', async () => {
  const define = (server: Server): void => {
    server.tool('write', { scopes: ['notes:write'] }, () => 'written')
    server.prompt('tidy', { scopes: ['notes:read', 'notes:tidy'] }, () => 'tidy')
    server.resource('notes://{id}', { scopes: ({ id }) => [`note:${id}`] }, () => 'note')
    server.tool('secret', { scopes: ['notes:secret'], visible: () => false }, () => 'secret')
  }
  const supported = async (scopesSupported?: 'base' | 'all') => {
    await using server = await openProtected({
      protect: { scopes: ['notes:read'], scopesSupported },
      define,
    })
    const answer = await server.ask({ path: places[0] })
    return ((await answer.json()) as { scopes_supported: unknown }).scopes_supported
  }

  expect(await supported()).toEqual(['notes:read'])
  expect(await supported('all')).toEqual(['notes:read', 'notes:tidy', 'notes:write'])
})

test('is served by a listening server next to its endpoint', async () => {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  await using service = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    url: resource,
    auth: oauthGuard({ issuer: ['https://one.example', 'https://two.example'] }),
  })

  for (const path of places) {
    const answer = await fetch(new URL(path, service.url))
    expect(await answer.json()).toMatchObject({
      resource,
      authorization_servers: ['https://one.example', 'https://two.example'],
    })
  }
  expect((await fetch(new URL('/.well-known/other', service.url))).status).toBe(404)
  expect((await fetch(new URL('/healthz', service.url))).status).toBe(200)
})

test.each([
  ['https://notes.example.com', 'https://notes.example.com'],
  ['https://notes.example.com/', 'https://notes.example.com'],
  ['HTTPS://Notes.Example.com/mcp', 'https://notes.example.com/mcp'],
  ['https://notes.example.com/mcp/', 'https://notes.example.com/mcp/'],
])('%s is named %s [ARES-06] [ARES-08]', async (url, named) => {
  await using server = await openProtected({ http: { url } })

  const answer = await server.ask({ path: '/.well-known/oauth-protected-resource' })

  expect(await answer.json()).toMatchObject({ resource: named })
})

test('names no scopes if none are needed, and says how tokens may be bound', async () => {
  await using plain = await openProtected({ protect: { dpop: 'off' } })
  await using bound = await openProtected({ protect: { dpop: 'required' } })
  const [path] = places

  const first = (await (await plain.ask({ path })).json()) as object
  const second = (await (await bound.ask({ path })).json()) as object

  expect(Object.keys(first)).toEqual([
    'resource',
    'authorization_servers',
    'bearer_methods_supported',
  ])
  expect(second).toMatchObject({
    dpop_bound_access_tokens_required: true,
    dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
  })
})

test('offline_access is in neither metadata nor challenges [N07-AUTH-12]', async () => {
  expect(() => oauthGuard({ issuer: 'https://i.example', scopes: ['offline_access'] })).toThrow(
    /offline_access/,
  )
  await using server = await openProtected({
    define: (notes) => notes.tool('far', { scopes: ['offline_access', 'far'] }, () => 'never'),
  })

  const answer = await server.call('far', { token: await server.issuer.sign() })

  expect(answer.headers.get('www-authenticate')).toContain('scope="far"')
})

test.each(['a b', '', 'ä', 'a"b'])('%j is refused as a scope when the server is made', (scope) => {
  expect(() => oauthGuard({ issuer: 'https://i.example', scopes: [scope] })).toThrow(/not a scope/)
})

test('needs an issuer, and the public address of the server [ADISC-01]', async () => {
  expect(() => oauthGuard({ issuer: [] })).toThrow(/issuer/)
  await expect(openProtected({ http: { url: undefined } })).rejects.toMatchObject({
    code: 'invalid_definition',
  })
})

test('pages of an issuer in the same process are served next to the endpoint, and learn who asks', async () => {
  const issuer = 'https://notes.example.com'
  await using server = await openProtected({
    entry: 'node',
    http: { trustedProxies: ['127.0.0.1', '10.0.0.1'] },
    protect: {
      issuer: {
        issuer,
        fetch: async (request, caller) =>
          request.url === `${issuer}/token`
            ? new Response(`${await request.text()} from ${caller?.address}`)
            : new Response(null, { status: 404 }),
      },
    },
  })

  const asked = (headers: Record<string, string>) =>
    server.ask({ method: 'POST', path: '/token', body: 'x', headers })
  const token = await asked({ 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.1' })
  const endpoint = await server.request('tools/list')

  expect(await token.text()).toBe('"x" from 203.0.113.7')
  expect(endpoint.status).toBe(401)
})
