import type { HttpGuard } from '@parley/mcp/http'
import { serveHttp, type ServeHttpOptions } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { askByHand } from '../../support/http-endpoint.ts'

function serveClock(options: ServeHttpOptions) {
  const server = createServer({
    name: 'clock',
    version: '1.2.0',
    title: 'World clock',
    description: 'Tells the time',
    declares: ['tools'],
  })
  return serveHttp(server, { port: 0, ownsProcess: false, onError: () => undefined, ...options })
}

const places = ['/mcp/server-card', '/.well-known/mcp/server-card.json']

test.each(places)('a card at %s says who the server is and how it is reached', async (place) => {
  await using service = await serveClock({ card: true, legacySse: true })

  const response = await fetch(new URL(place, service.url))
  const card = (await response.json()) as { _meta: object }

  expect(response.headers.get('content-type')).toBe('application/mcp-server-card+json')
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(card).toMatchObject({
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: '127.0.0.1/clock',
    version: '1.2.0',
    title: 'World clock',
    description: 'Tells the time',
    remotes: [
      {
        type: 'streamable-http',
        url: service.url.href,
        supportedProtocolVersions: expect.arrayContaining(['2025-11-25']) as unknown,
      },
      { type: 'sse', url: `${service.url.href}/sse` },
    ],
  })
  expect(card._meta).toEqual({
    'dev.parley/server': {
      capabilities: ['tools', 'logging'],
      authentication: { required: false },
    },
  })
})

test('the catalogue of the site leads to the card', async () => {
  await using service = await serveClock({ card: { name: 'com.example/clock' } })

  const response = await fetch(new URL('/.well-known/ai-catalog.json', service.url))

  expect(response.headers.get('content-type')).toBe('application/ai-catalog+json')
  expect(await response.json()).toEqual({
    specVersion: '1.0',
    entries: [
      {
        identifier: 'urn:air:example.com:mcp:clock',
        type: 'application/mcp-server-card+json',
        url: `${service.url.href}/server-card`,
      },
    ],
  })
})

test('nothing of a card is served unless it was asked for', async () => {
  await using service = await serveClock({})

  for (const place of [...places, '/.well-known/ai-catalog.json']) {
    expect((await fetch(new URL(place, service.url))).status).toBe(404)
  }
})

test('a card is for everybody: it says where to sign in, and nothing of who calls', async () => {
  const auth: HttpGuard = {
    authenticate: () => ({ kind: 'deny', status: 401, headers: {}, message: 'no token' }),
    route: async () => undefined,
  }
  const url = 'https://clock.example.com/mcp'
  await using service = await serveClock({ card: true, auth, url })
  const port = Number(service.url.port)

  const answer = await askByHand(port, {
    path: '/mcp/server-card',
    headers: { host: 'clock.example.com', authorization: 'Bearer hunter2' },
  })

  const body = await answer.text()

  expect(JSON.parse(body)).toMatchObject({
    name: 'com.example.clock/clock',
    remotes: [{ url }],
    _meta: {
      'dev.parley/server': {
        authentication: {
          required: true,
          resourceMetadata: 'https://clock.example.com/.well-known/oauth-protected-resource/mcp',
        },
      },
    },
  })
  expect(body).not.toContain('hunter2')
})

test('a card is asked for again by its tag, and only read', async () => {
  await using service = await serveClock({ card: true })
  const url = new URL('/mcp/server-card', service.url)
  const tag = (await fetch(url)).headers.get('etag') ?? ''

  const again = await fetch(url, { headers: { 'if-none-match': tag } })
  const head = await fetch(url, { method: 'HEAD' })
  const post = await fetch(url, { method: 'POST', body: '{}' })
  const preflight = await fetch(url, { method: 'OPTIONS' })

  expect([again.status, head.status, post.status, preflight.status]).toEqual([304, 200, 405, 204])
  expect(head.headers.get('etag')).toBe(tag)
})

test('the name of another host gets no card', async () => {
  await using service = await serveClock({ card: true })

  const answer = await askByHand(Number(service.url.port), {
    path: '/mcp/server-card',
    headers: { host: 'evil.example' },
  })

  expect(answer.status).toBe(403)
})

test('routes of the author come first', async () => {
  await using service = await serveClock({ card: true, routes: () => new Response('mine') })

  expect(await (await fetch(new URL('/mcp/server-card', service.url))).text()).toBe('mine')
})

test('a name without a namespace is refused before anything listens', async () => {
  await expect(serveClock({ card: { name: 'clock' } })).rejects.toThrow(
    'card.name "clock" is not a namespace and a name',
  )
})
