import { connect, type ConnectOptions } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { openScriptedServer, serverInfo, type Script } from './scripted-server.ts'

const to =
  (status: number, location: string): Script =>
  (reply) =>
    reply.status(status, '', { location })

describe.each<[string, ConnectOptions]>([
  ["Node's agent", {}],
  ['fetch', { fetch: globalThis.fetch }],
])('a redirect, by %s', (_, options) => {
  test.each([307, 308])('by %i is followed with the message, and remembered', async (status) => {
    await using server = await openScriptedServer({
      POST(reply) {
        if (reply.path === '/mcp') return to(status, '/v2')(reply)
        const script = server.scripts[reply.message.method ?? '']
        return script ? script(reply) : reply.status(202)
      },
      ping: (reply) => reply.json({}),
    })
    await using client = await connect(server.url, { ...options, headers: { 'x-key': 'k' } })

    await client.ping()

    expect(server.seen.map(({ path, message }) => [path, message.method])).toEqual([
      ['/mcp', 'server/discover'],
      ['/v2', 'server/discover'],
      ['/mcp', 'initialize'], // a session is where it began; what was asked before it, nowhere
      ['/v2', 'initialize'],
      ['/v2', 'notifications/initialized'],
      ['/v2', 'ping'],
    ])
    expect(server.seen.every(({ headers }) => headers['x-key'] === 'k')).toBe(true)
  })

  test.each([301, 302, 303])('by %i would lose the message, and is refused', async (status) => {
    await using server = await openScriptedServer({ POST: to(status, '/elsewhere') })

    await expect(connect(server.url, options)).rejects.toMatchObject({
      code: 'http_error',
      details: { status },
      message: expect.stringContaining('/elsewhere'),
      hint: expect.stringContaining('directly'),
    })
    expect(server.seen).toHaveLength(1)
  })

  test('in a loop ends after five', async () => {
    await using server = await openScriptedServer({ POST: to(307, '/mcp') })

    await expect(connect(server.url, options)).rejects.toMatchObject({
      code: 'http_error',
      message: expect.stringContaining('more than 5 times'),
    })
    expect(server.seen).toHaveLength(6)
  })

  test('to another origin takes no credentials along, and neither does what follows', async () => {
    const asked: string[] = []
    const auth = {
      async authorize({ url }: { url: URL }) {
        asked.push(url.origin)
        return { authorization: 'Bearer secret' }
      },
      challenged: async () => false,
    }
    await using other = await openScriptedServer({
      initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': 's' }),
    })
    await using server = await openScriptedServer({ POST: to(308, other.url) })
    const client = await connect(server.url, {
      ...options,
      auth,
      headers: { 'x-key': 'secret', cookie: 'secret' },
    })
    await client.ping()
    await client.close()

    expect(new Set(asked)).toEqual(new Set([new URL(server.url).origin]))
    expect(JSON.stringify(other.seen)).not.toContain('secret')
    expect(other.sent('ping')[0]?.headers['mcp-session-id']).toBe('s')
    expect(other.sent('DELETE')).toHaveLength(1)
  })

  test('to another origin in the middle of a session does not take its id along', async () => {
    await using other = await openScriptedServer()
    await using server = await openScriptedServer({
      initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': 'secret' }),
      ping: (reply) => to(307, other.url)(reply),
    })
    await using client = await connect(server.url, options)

    await client.ping()

    expect(other.sent('ping')[0]?.headers['mcp-session-id']).toBeUndefined()
  })
})

test('of the stream may be of any kind', async () => {
  await using server = await openScriptedServer({
    GET: (reply) => (reply.path === '/mcp' ? to(302, '/events')(reply) : void reply.stream()),
  })
  await using client = await connect(server.url, { onLog: () => undefined })

  await server.until('GET', 2)

  expect(server.sent('GET').map(({ path }) => path)).toEqual(['/mcp', '/events'])
  await client.ping()
})

/** Answers at one address by a redirect, and tells what was sent elsewhere. */
function createRedirecting(from: string, location: string) {
  const elsewhere: string[] = []
  const fetch = async (given: unknown): Promise<Response> => {
    const url = String(given)
    if (url === from) return new Response(null, { status: 307, headers: { location } })
    elsewhere.push(url)
    return new Response('nothing', { status: 410 })
  }
  return { fetch, elsewhere }
}

test.each([
  ['http://93.184.215.14/mcp', 'http://0.0.0.0:80/mcp'],
  ['http://93.184.215.14/mcp', 'http://[::]/mcp'],
  ['http://93.184.215.14/mcp', 'http://[::ffff:127.0.0.1]/mcp'],
  ['http://server.example/mcp', 'http://localhost./mcp'],
  ['http://server.example/mcp', 'http://169.254.169.254/latest'],
  ['http://server.example/mcp', 'http://10.0.0.1/mcp'],
  ['http://192.168.1.2/mcp', 'http://127.0.0.1/mcp'],
])('from %s to %s, which is nearer, is refused', async (url, location) => {
  const { fetch, elsewhere } = createRedirecting(url, location)

  await expect(connect(url, { fetch })).rejects.toMatchObject({
    code: 'http_error',
    message: expect.stringContaining('which is unsafe'),
  })
  expect(elsewhere).toEqual([])
})

test.each([
  ['http://127.0.0.1/mcp', 'http://[::1]/mcp'],
  ['http://192.168.1.2/mcp', 'http://10.0.0.1/mcp'],
  ['http://10.0.0.1/mcp', 'http://server.example/mcp'],
])('from %s to %s, which is no nearer, is followed', async (url, location) => {
  const { fetch, elsewhere } = createRedirecting(url, location)

  await expect(connect(url, { fetch })).rejects.toMatchObject({ details: { status: 410 } })
  expect(elsewhere).toContain(location)
})

test.each(['ftp://example.com/', 'file:///etc/passwd', 'http://['])(
  'to %j is refused',
  async (location) => {
    await using server = await openScriptedServer({ POST: to(307, location) })

    await expect(connect(server.url)).rejects.toMatchObject({ code: 'http_error' })
  },
)
