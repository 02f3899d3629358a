import { jsonSchema } from '@parley/mcp'
import type { Server } from '@parley/mcp/server'
import { serverTasks } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'

import { listenProtected } from '../resource/listening-server.ts'
import { openProtected, type ProtectedServer } from '../resource/protected-server.ts'
import { openSigningIssuer } from '../resource/signing-issuer.ts'

/** Who is not the one that began: another user, or another program of the same user. */
const others = [
  ['another user', { sub: 'bob' }],
  ['another client of the same user', { client_id: 'other-app' }],
] as const

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'by-hand', version: '1.0.0' },
}

function open(define?: (server: Server) => void): Promise<ProtectedServer> {
  return openProtected({
    http: { sessions: 'on' },
    extensions: [serverTasks({ inlineMs: 0 })],
    ...(define && { define }),
  })
}

async function openSession(server: ProtectedServer, token: string): Promise<string> {
  const answer = await server.request('initialize', initialize, { token })
  const session = answer.headers.get('mcp-session-id') ?? ''
  await server.ask({
    method: 'POST',
    token,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
    },
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  })
  return session
}

/** A request that stands for itself. */
async function ask2026(
  server: ProtectedServer,
  token: string,
  method: string,
  params: Record<string, unknown>,
): Promise<{ result?: Record<string, unknown>; error?: Record<string, unknown> }> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {
      elicitation: { form: {} },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
    'io.modelcontextprotocol/clientInfo': initialize.clientInfo,
  }
  const name = params['name'] ?? params['taskId']
  const answer = await server.request(
    method,
    { ...params, _meta },
    {
      token,
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      },
    },
  )
  return (await answer.json()) as object
}

test.each(others)(
  'a session does not exist for %s [SEC-04] [SEC-07] [SEC-08] [N07-AUTH-13]',
  async (_, who) => {
    await using server = await open()
    const ada = await server.issuer.sign()
    const other = await server.issuer.sign(who)
    const session = { 'mcp-session-id': await openSession(server, ada) }
    const unknown = { 'mcp-session-id': 'A'.repeat(43) }
    const events = { accept: 'text/event-stream' }

    const foreign = await Promise.all([
      server.call('who', { token: other, headers: session }),
      server.ask({ token: other, headers: { ...session, ...events } }),
      server.ask({ token: other, method: 'DELETE', headers: session }),
    ])
    const missing = await server.call('who', { token: other, headers: unknown })

    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await foreign[0].json()).toEqual(await missing.json()) // nothing tells them apart
    expect((await server.call('who', { headers: session })).status).toBe(401)
    expect((await server.call('who', { token: ada, headers: session })).status).toBe(200)
  },
)

test.each(others)('an event id leads %s nowhere [SEC-09]', async (_, who) => {
  await using server = await open((notes) =>
    notes.tool('talk', {}, async (_args, { progress }) => {
      await progress({ progress: 1 })
      return 'a secret'
    }),
  )
  const ada = await server.issuer.sign()
  const other = await server.issuer.sign(who)
  const session = await openSession(server, ada)
  const otherSession = await openSession(server, other)
  const spoken = await server.request(
    'tools/call',
    { name: 'talk', _meta: { progressToken: 1 } },
    { token: ada, headers: { 'mcp-session-id': session } },
  )
  const [, eventId = ''] = /^id: (.+)$/m.exec(await spoken.text()) ?? []
  const resume = (token: string, id: string) =>
    server.ask({
      token,
      headers: { accept: 'text/event-stream', 'mcp-session-id': id, 'last-event-id': eventId },
    })

  expect(eventId).not.toBe('')
  expect((await resume(other, otherSession)).status).toBe(400)
  expect((await resume(other, session)).status).toBe(404)
  const own = await resume(ada, session)
  expect(await own.text()).toContain('a secret')
})

test.each(others)('a session over HTTP+SSE does not exist for %s [N07-AUTH-13]', async (_, who) => {
  await using issuer = await openSigningIssuer()
  await using server = await listenProtected({ issuer: issuer.issuer }, { legacySse: true })
  const [ada, other] = await Promise.all([
    issuer.sign({ aud: server.url.href }),
    issuer.sign({ aud: server.url.href, ...who }),
  ])
  const stream = await fetch(`${server.url.href}/sse`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${ada}` },
  })
  const [, path = ''] = /data: (\S+sessionId=\S+)\n/.exec(await readUntil(stream, '\n\n')) ?? []
  const post = (token: string, to: string) =>
    fetch(new URL(to, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
    })

  const foreign = await post(other, path)
  const missing = await post(other, path.replace(/sessionId=.*/, `sessionId=${'A'.repeat(43)}`))

  expect(path).not.toBe('')
  expect(foreign.status).toBe(404)
  expect(await foreign.text()).toBe(await missing.text())
  expect((await post(ada, path)).status).toBe(202)
  await stream.body?.cancel()
})

test.each(others)('a subscription is not ended by %s [N07-AUTH-13]', async (_, who) => {
  let announce = () => {}
  await using server = await open((notes) => {
    notes.resource('note://1', {}, () => 'one')
    announce = () => notes.notifyChanged({ uri: 'note://1' })
  })
  const ada = await server.issuer.sign()
  const other = await server.issuer.sign(who)
  const session = { 'mcp-session-id': await openSession(server, ada) }
  const uri = { uri: 'note://1' }
  await server.request('resources/subscribe', uri, { token: ada, headers: session })
  const stream = await server.ask({
    token: ada,
    headers: { accept: 'text/event-stream', ...session },
  })

  const foreign = await server.request('resources/unsubscribe', uri, {
    token: other,
    headers: session,
  })
  announce()

  expect(foreign.status).toBe(404)
  expect(await firstMessage(stream)).toContain('notifications/resources/updated')
})

test.each(others)('a task does not exist for %s [N07-AUTH-13]', async (_, who) => {
  let finish = () => {}
  await using server = await open((notes) =>
    notes.tool('slow', { task: 'required' }, async () => {
      await new Promise<void>((resolve) => (finish = resolve))
      return 'a secret'
    }),
  )
  const ada = await server.issuer.sign()
  const other = await server.issuer.sign(who)
  const started = await ask2026(server, ada, 'tools/call', { name: 'slow' })
  const taskId = started.result?.['taskId']
  const foreign = await ask2026(server, other, 'tasks/get', { taskId })
  const missing = await ask2026(server, other, 'tasks/get', { taskId: 'nothing' })
  const cancelled = await ask2026(server, other, 'tasks/cancel', { taskId })

  expect(taskId).toEqual(expect.any(String))
  expect(foreign.error).toMatchObject({ code: missing.error?.['code'] })
  expect(String(foreign.error?.['message']).replace(String(taskId), '')).toBe(
    String(missing.error?.['message']).replace('nothing', ''),
  )
  expect(cancelled.error).toBeDefined()
  expect((await ask2026(server, ada, 'tasks/get', { taskId })).result).toMatchObject({
    status: 'working',
  })
  finish()
})

test.each(others)('the state of a call is of no use to %s [N07-AUTH-13]', async (_, who) => {
  await using server = await open((notes) =>
    notes.tool('pay', {}, async (_args, { elicit }) => {
      const answer = await elicit({
        message: 'Sure?',
        requestedSchema: jsonSchema<{ sure: boolean }>({
          type: 'object',
          properties: { sure: { type: 'boolean' } },
        }),
      })
      return answer.action
    }),
  )
  const ada = await server.issuer.sign()
  const other = await server.issuer.sign(who)
  const { result = {} } = await ask2026(server, ada, 'tools/call', { name: 'pay' })
  const [key = ''] = Object.keys(result['inputRequests'] ?? {})
  const again = {
    name: 'pay',
    requestState: result['requestState'],
    inputResponses: { [key]: { action: 'accept', content: { sure: true } } },
  }

  expect(result).toMatchObject({ resultType: 'input_required' })
  expect((await ask2026(server, other, 'tools/call', again)).error).toMatchObject({ code: -32602 })
  expect((await ask2026(server, ada, 'tools/call', again)).result).toMatchObject({
    content: [{ text: 'accept' }],
  })
})

test('more clients give a user no more sessions', async () => {
  await using server = await openProtected({
    http: { sessions: 'on', maxSessions: { total: 100, perPrincipal: 2 } },
  })
  const statuses: number[] = []
  for (const client of ['a', 'b', 'c']) {
    const token = await server.issuer.sign({ client_id: client })
    statuses.push((await server.request('initialize', initialize, { token })).status)
  }

  expect(statuses).toEqual([200, 200, 429])
})

async function firstMessage(response: Response): Promise<string> {
  const text = await readUntil(response, 'jsonrpc')
  await response.body?.cancel()
  return text
}

/** What a stream says until then; it stays open. */
async function readUntil(response: Response, mark: string): Promise<string> {
  const reader = response.body?.getReader()
  let text = ''
  while (reader && !text.includes(mark)) {
    const { value, done } = await reader.read()
    if (done) break
    text += new TextDecoder().decode(value)
  }
  reader?.releaseLock()
  return text
}
