import { type ClientAuth, connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { openScriptedServer, serverInfo, type Script } from './scripted-server.ts'

const challenge = 'Bearer resource_metadata="https://example.com/.well-known"'

/** Lets in who has the token. */
function guarded(token: string, then: Script): Script {
  return (reply) =>
    reply.headers.authorization === `Bearer ${token}`
      ? then(reply)
      : reply.status(401, 'who are you?', { 'www-authenticate': challenge })
}

const greet: Script = (reply) => reply.json(serverInfo)

test.each([401, 403])(
  '%i without auth is unauthorized, with the challenge, and no reason to look for an old server [HCOMPAT-05] [XREV-15]',
  async (status) => {
    await using server = await openScriptedServer({
      initialize: (reply) => reply.status(status, '', { 'www-authenticate': challenge }),
    })

    await expect(connect(server.url)).rejects.toMatchObject({
      code: 'unauthorized',
      details: { challenge },
      hint: expect.stringContaining('auth'),
    })
    expect(server.sent('GET')).toEqual([])
  },
)

test('every request is authorized anew, the stream and the end too', async () => {
  let count = 0
  const asked: string[] = []
  const auth: ClientAuth = {
    async authorize({ method, url }) {
      asked.push(`${method} ${url.pathname}`)
      return { Authorization: `Bearer ${(count += 1)}` }
    },
    challenged: async () => false,
  }
  await using server = await openScriptedServer({
    initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': 's' }),
  })
  const client = await connect(server.url, { auth, onLog: () => undefined })
  await server.until('GET')
  await client.close()

  expect(asked).toEqual(['POST /mcp', 'POST /mcp', 'POST /mcp', 'GET /mcp', 'DELETE /mcp'])
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer 1',
    'Bearer 2',
    'Bearer 3',
    'Bearer 4',
    'Bearer 5',
  ])
})

test('a challenge is answered once, and the request repeated with what it brought', async () => {
  let token = 'old'
  const rejections: unknown[] = []
  const auth: ClientAuth = {
    authorize: async () => ({ authorization: `Bearer ${token}` }),
    async challenged({ signal, ...rejection }) {
      rejections.push(rejection)
      token = 'new'
      return !signal.aborted
    },
  }
  await using server = await openScriptedServer({ initialize: guarded('new', greet) })

  await using client = await connect(server.url, { auth })
  await client.ping()

  const url = new URL(server.url)
  const given = { authorization: 'Bearer old' }
  expect(rejections).toEqual([
    { status: 401, url, server: url, wwwAuthenticate: challenge, given, attempt: 1 },
  ])
  expect(server.sent('initialize')).toHaveLength(2)
})

test.each<[string, ClientAuth['challenged'], number]>([
  ['is not met', async () => false, 1],
  ['is met in vain', async () => true, 7],
  ['fails', () => Promise.reject(new Error('no browser')), 1],
])('a challenge that %s is unauthorized', async (_, challenged, times) => {
  const auth = { authorize: async () => ({}), challenged }
  await using server = await openScriptedServer({ initialize: guarded('good', greet) })

  await expect(connect(server.url, { auth })).rejects.toMatchObject({
    code: 'unauthorized',
    details: { challenge },
  })
  expect(server.sent('initialize')).toHaveLength(times)
})

test('a later call can be challenged too, without losing the session', async () => {
  let token = 'read'
  const auth: ClientAuth = {
    authorize: async () => ({ authorization: `Bearer ${token}` }),
    async challenged({ status }) {
      token = 'write'
      return status === 403
    },
  }
  await using server = await openScriptedServer({
    'tools/call': (reply) =>
      reply.headers.authorization === 'Bearer write'
        ? reply.json({ content: [] })
        : reply.status(403, '', { 'www-authenticate': 'Bearer error="insufficient_scope"' }),
  })
  await using client = await connect(server.url, { auth })

  expect(await client.callTool('do')).toEqual({ content: [] })
})

test('credentials that cannot be had are unauthorized, with the reason', async () => {
  const reason = new Error('store is locked')
  const auth = { authorize: () => Promise.reject(reason), challenged: async () => false }
  await using server = await openScriptedServer()

  await expect(connect(server.url, { auth })).rejects.toMatchObject({
    code: 'unauthorized',
    cause: reason,
  })
  expect(server.seen).toEqual([])
})
