import { once } from 'node:events'
import { inspect } from 'node:util'

import { type Client, connect, type ClientStatus } from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import {
  openScriptedServer,
  result,
  said,
  serverInfo,
  type Reply,
  type ScriptedServer,
} from './scripted-server.ts'

const reconnect = { minDelayMs: 5, maxDelayMs: 10 }

/** A server with sessions; `forget()` ends them all, as a restart does. */
async function openSessions() {
  let sessions = 0
  let oldest = 1
  const server = await openScriptedServer({
    initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': `s${(sessions += 1)}` }),
    POST(reply) {
      const { method = 'response' } = reply.message
      const id = Number(reply.headers['mcp-session-id']?.toString().slice(1))
      if (method !== 'initialize' && !(id >= oldest)) {
        const error = { code: -32001, message: 'Session not found' }
        return reply.status(404, { jsonrpc: '2.0', error, id: null })
      }
      const script = server.scripts[method]
      if (script) return script(reply)
      return reply.message.id === undefined || !reply.message.method
        ? reply.status(202)
        : reply.json({})
    },
  })
  return { server, forget: () => (oldest = sessions + 1) }
}

/** Stops the server, and lets the client find its idle connections dead. */
async function goAway(server: ScriptedServer, client: Client): Promise<void> {
  await server.stop()
  await client.ping({ timeouts: { idleMs: 20 } }).catch(() => undefined)
}

test.each([
  ['with reconnecting', reconnect],
  ['without reconnecting', false as const],
])(
  'a lost session is opened anew, without the old id, and what may be repeated is: %s [HSESS-08]',
  async (_, given) => {
    const { server, forget } = await openSessions()
    await using closing = server
    const statuses: ClientStatus[] = []
    await using client = await connect(server.url, {
      reconnect: given,
      onStatus: (status) => statuses.push(status),
    })
    await client.listTools().toArray()

    forget()
    expect(await client.listTools().toArray()).toEqual([])

    const [, again] = server.sent('initialize')
    expect(again?.headers['mcp-session-id']).toBeUndefined()
    expect(server.sent('tools/list').map(({ headers }) => headers['mcp-session-id'])).toEqual([
      's1',
      's1',
      's2',
    ])
    expect(statuses.map(({ state }) => state)).toEqual(['ready', 'reconnecting', 'ready'])
    expect(statuses[1]).toMatchObject({ attempt: 1, cause: { code: 'session_lost' } })
    expect(closing.url).toBe(server.url)
  },
)

test('a call that may not be repeated says so, and the next one works', async () => {
  const { server, forget } = await openSessions()
  await using closing = server
  await using client = await connect(closing.url, { reconnect })

  forget()

  await expect(client.callTool('do')).rejects.toMatchObject({
    code: 'session_lost',
    retryable: true, // it was refused, so it did nothing
    details: { reopened: true },
  })
  expect(await client.callTool('do')).toEqual(said('done'))
  expect(server.sent('initialize')).toHaveLength(2)
})

test('calls that a lost session refuses one after another may all be repeated', async () => {
  const held: Reply[] = []
  await using server = await openScriptedServer({
    initialize: (reply) =>
      reply.json(serverInfo, { 'mcp-session-id': `s${server.sent('initialize').length}` }),
    'tools/call'(reply) {
      if (reply.headers['mcp-session-id'] !== 's1') return reply.json(said('done'))
      held.push(reply)
    },
  })
  await using client = await connect(server.url, { reconnect })
  const calls = Array.from({ length: 5 }, () =>
    client.callTool('do').catch((error: unknown) => error),
  )
  const reading = client.callTool('look', {}, { idempotent: true })
  await server.until('tools/call', 6)

  for (const reply of held) {
    reply.status(404)
    await once(reply.response, 'close')
  }

  for (const outcome of await Promise.all(calls)) {
    expect(outcome).toMatchObject({
      code: 'session_lost',
      retryable: true,
      details: { reopened: true },
    })
  }
  expect(await reading).toEqual(said('done'))
  expect(server.sent('initialize')).toHaveLength(2)
})

test('what does not come back from a lost session is not waited for, and may have done its work', async () => {
  const clock = createVirtualClock()
  await using server = await openScriptedServer({
    initialize: (reply) =>
      reply.json(serverInfo, { 'mcp-session-id': `s${server.sent('initialize').length}` }),
    'tools/call': () => undefined,
    ping: (reply) =>
      reply.headers['mcp-session-id'] === 's1' ? reply.status(404) : reply.json({}),
  })
  await using client = await connect(server.url, { reconnect, clock })
  const timeouts = { idleMs: 86_400_000, totalMs: 86_400_000 }
  const slow = client.callTool('slow', {}, { timeouts }).catch((error: unknown) => error)
  await server.until('tools/call')

  const pinging = client.ping({ timeouts })
  while (server.sent('initialize').length < 2) await clock.advance(200)
  await pinging

  expect(await slow).toMatchObject({ code: 'session_lost', retryable: false })
})

/** A server whose sessions belong to who opened them; tools are for those who have signed in. */
async function openOwnedSessions(): Promise<ScriptedServer> {
  const owners: unknown[] = []
  const server = await openScriptedServer({
    initialize(reply) {
      owners.push(reply.headers.authorization)
      reply.json(serverInfo, { 'mcp-session-id': String(owners.length - 1) })
    },
    'tools/call'(reply) {
      const { authorization, 'mcp-session-id': session } = reply.headers
      if (authorization === undefined) return reply.status(401)
      if (owners[Number(session)] !== authorization) return reply.status(404)
      return reply.json(said('done'))
    },
  })
  return server
}

test('a call that makes somebody sign in is sent again in a session of theirs, once', async () => {
  await using server = await openOwnedSessions()
  let token: string | undefined
  await using client = await connect(server.url, {
    protocolVersion: 'legacy',
    reconnect,
    auth: {
      authorize: async () => (token === undefined ? {} : { authorization: token }),
      challenged: async () => ((token = 'Bearer ada'), true),
    },
  })

  expect(await client.callTool('do')).toEqual(said('done'))

  expect(server.sent('initialize')).toHaveLength(2)
  expect(server.sent('tools/call').map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    'Bearer ada',
    'Bearer ada',
  ])
})

test('the id of a session is in nothing that is reported, whatever goes wrong [N11-HTTP-11]', async () => {
  const secret = 'session-id-nobody-must-read'
  const told: string[] = []
  await using server = await openScriptedServer({
    initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': secret }),
    'tools/call': (reply) => reply.status(500),
    'resources/read': (reply) => reply.status(404),
    'prompts/get': (reply) => reply.stream().end(),
  })
  await using client = await connect(server.url, {
    reconnect,
    onError: (error) => void told.push(describe(error)),
    onStatus: (status) => void told.push(describe(status), JSON.stringify(status)),
  })

  told.push(describe(await client.callTool('do').catch((error: unknown) => error)))
  told.push(describe(await client.getPrompt('a').catch((error: unknown) => error)))
  told.push(describe(await client.readResource('a://b').catch((error: unknown) => error)))

  expect(server.sent('tools/call')[0]?.headers['mcp-session-id']).toBe(secret)
  expect(told.length).toBeGreaterThan(3)
  expect(told.join('\n')).not.toContain(secret)
})

/** All that a log would show of it. */
function describe(value: unknown): string {
  return inspect(value, { depth: 10, showHidden: true })
}

test('what else was under way on a lost session is told apart: it may have done its work', async () => {
  const { server, forget } = await openSessions()
  await using closing = server
  closing.scripts['tools/call'] = (reply) => void reply.stream()
  await using client = await connect(server.url, { reconnect })
  const slow = client.callTool('slow').catch((error: unknown) => error)
  await server.until('tools/call')

  forget()
  await client.ping()

  expect(await slow).toMatchObject({ code: 'session_lost', retryable: false })
})

test('the log level and subscriptions come back with the new session, and the gap is told', async () => {
  const { server, forget } = await openSessions()
  await using closing = server
  await using client = await connect(closing.url, { reconnect })
  await client.setLoggingLevel('error')
  await using subscription = await client.listen({ resourceSubscriptions: ['a:b'] })

  forget()
  await client.ping()

  const changes = subscription[Symbol.asyncIterator]()
  expect((await changes.next()).value).toEqual({ type: 'gap' })
  for (const method of ['logging/setLevel', 'resources/subscribe']) {
    expect(server.sent(method).map(({ headers }) => headers['mcp-session-id'])).toEqual([
      's1',
      's2',
    ])
  }
})

test('a server that forgets every session at once is not asked for ever', async () => {
  const { server, forget } = await openSessions()
  await using closing = server
  const statuses: ClientStatus[] = []
  closing.scripts['ping'] = (reply) => reply.status(404)
  await using client = await connect(server.url, {
    reconnect: false,
    onStatus: (status) => statuses.push(status),
  })

  forget()
  await expect(client.ping()).rejects.toMatchObject({ code: 'session_lost' })
  await expect(client.ping()).rejects.toMatchObject({ code: 'session_lost' })

  expect(server.sent('initialize')).toHaveLength(2)
  expect(statuses.at(-1)).toMatchObject({ state: 'closed', cause: { code: 'session_lost' } })
})

test('404 without a session is what it says', async () => {
  await using server = await openScriptedServer({ ping: (reply) => reply.status(404, 'no') })
  await using client = await connect(server.url)

  await expect(client.ping()).rejects.toMatchObject({
    code: 'http_error',
    details: { status: 404, excerpt: 'no' },
  })
  expect(server.sent('initialize')).toHaveLength(1)
})

test.each([200, 204, 405, 500])(
  'closing ends the session with DELETE, and does not mind %i [HSESS-09] [HSESS-10] [LIFE-15]',
  async (status) => {
    const { server } = await openSessions()
    await using closing = server
    closing.scripts['DELETE'] = (reply) => reply.status(status)
    const client = await connect(server.url, { reconnect })
    const pending = client.callTool('slow').catch((error: unknown) => error)
    server.scripts['tools/call'] = () => undefined
    await server.until('tools/call')

    await client.close()
    await client.close()

    expect(await pending).toMatchObject({ code: 'closed' })
    expect(server.sent('DELETE').map(({ headers }) => headers['mcp-session-id'])).toEqual(['s1'])
    await expect.poll(() => server.sockets.size).toBe(0)
  },
)

test('closing does not wait for a server that does not answer', async () => {
  const { server } = await openSessions()
  await using closing = server
  closing.scripts['DELETE'] = () => undefined
  const client = await connect(server.url, { reconnect })

  await client.close()

  expect(server.sent('DELETE')).toHaveLength(1)
  expect(client.status.state).toBe('closed')
})

test('closing without a session sends nothing', async () => {
  await using server = await openScriptedServer()
  const client = await connect(server.url)
  await client.ping()

  await client.close()

  expect(server.sent('DELETE')).toEqual([])
})

test('a server that is away for a while is waited for, and the session goes on', async () => {
  const { server } = await openSessions()
  await using closing = server
  const statuses: ClientStatus[] = []
  await using client = await connect(closing.url, {
    reconnect,
    onStatus: (status) => statuses.push(status),
  })
  await client.ping()

  await goAway(server, client)
  const calls = [client.callTool('do'), client.ping(), client.callTool('do')] as const
  await expect.poll(() => client.status.state).toBe('reconnecting')
  await server.start()

  expect(await calls[0]).toEqual(said('done')) // it never left, so it is sent now
  await calls[1]
  await calls[2]
  expect(statuses.find(({ state }) => state === 'reconnecting')).toMatchObject({
    cause: { code: 'unreachable', details: { systemCode: 'ECONNREFUSED' } },
  })
  expect(client.status.state).toBe('ready')
  expect(server.sent('initialize')).toHaveLength(1)
})

test('a server that is back is used by everybody, even while the first call takes its time', async () => {
  const { server } = await openSessions()
  await using closing = server
  closing.scripts['tools/call'] = (reply) =>
    void server.until('ping', 2).then(() => reply.json(said('slow')))
  await using client = await connect(server.url, { reconnect })
  await goAway(server, client)

  const slow = client.callTool('slow')
  const quick = client.ping()
  await expect.poll(() => client.status.state).toBe('reconnecting')
  server.scripts['ping'] = (reply) => reply.json({})
  await server.start()
  await quick
  await client.ping()

  expect(await slow).toEqual(said('slow'))
})

test('a call that waits for a server that is away ends with its own limit and never arrives', async () => {
  const { server } = await openSessions()
  await using closing = server
  await using client = await connect(closing.url, { reconnect })
  await goAway(server, client)

  await expect(client.callTool('do', {}, { timeouts: { idleMs: 50 } })).rejects.toMatchObject({
    code: 'timeout',
  })
  await server.start()
  await client.ping()

  expect(server.sent('tools/call')).toEqual([])
  expect(server.sent('notifications/cancelled')).toEqual([])
})

test('a server that stays away is given up after as many attempts as are allowed', async () => {
  const { server } = await openSessions()
  await using closing = server
  await using client = await connect(closing.url, { reconnect: { ...reconnect, maxAttempts: 3 } })
  await server.stop()

  await expect(client.ping()).rejects.toMatchObject({ code: 'unreachable' })

  expect(client.status).toMatchObject({ state: 'closed', cause: { code: 'unreachable' } })
})

test('without reconnecting nobody waits: the call fails at once, and the next may work', async () => {
  const { server } = await openSessions()
  await using closing = server
  await using client = await connect(closing.url, { reconnect: false })

  await goAway(server, client)
  await expect(client.ping()).rejects.toMatchObject({
    code: 'unreachable',
    retryable: true,
    details: { systemCode: 'ECONNREFUSED' },
  })
  await server.start()

  await client.ping()
  expect(client.status.state).toBe('ready')
})

test('a server restarted in the middle of calls: what may be repeated is, the rest is told', async () => {
  const { server, forget } = await openSessions()
  await using closing = server
  let isFirst = true
  closing.scripts['resources/read'] = (reply) => {
    if (!isFirst) return reply.json({ contents: [] })
    isFirst = false
    return undefined
  }
  server.scripts['tools/call'] = () => undefined
  await using client = await connect(server.url, { reconnect })
  const reading = client.readResource('a:b')
  const calling = client.callTool('do').catch((error: unknown) => error)
  await Promise.all([server.until('resources/read'), server.until('tools/call')])

  await server.stop()
  forget()
  await server.start()

  expect(await reading).toEqual({ contents: [] })
  expect(await calling).toMatchObject({ code: 'connection_lost', details: { sent: true } })
  expect(server.sent('initialize')).toHaveLength(2)
})

test('an id that no header may carry is no session', async () => {
  await using server = await openScriptedServer({
    initialize(reply) {
      reply.response.setHeader('mcp-session-id', 'with space')
      reply.response.setHeader('content-type', 'application/json')
      reply.response.end(JSON.stringify(result(reply.message.id, serverInfo)))
    },
  })
  const client = await connect(server.url)
  await client.ping()
  await client.close()

  expect(server.seen.some(({ headers }) => 'mcp-session-id' in headers)).toBe(false)
})
