import type { JsonObject } from '@parley/mcp'
import type { ClientAuth } from '@parley/mcp/client'
import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import type {
  TransportHealth,
  TransportLink,
} from '../../../src/client/connection/transport-link.ts'
import type { HttpTransportOptions } from '../../../src/transport/http-client/http-transport.ts'
import { headerAnnotations, paramHeaders } from '../../../src/wire/param-headers.ts'
import { openStandalone, version, type StandaloneClient } from './modern-requests.ts'
import {
  asStream,
  openScriptedServer,
  progress,
  result,
  type Script,
  type ScriptedServer,
} from './scripted-server.ts'

/** A client whose tools have annotated arguments. */
function linkWith(inputSchema: object, changed: Partial<TransportLink> = {}): TransportLink {
  const read = headerAnnotations({ type: 'object', ...inputSchema })
  if ('problem' in read) throw new Error(read.problem)
  return {
    needsStream: () => true,
    onNeed: () => undefined,
    onHealth: () => undefined,
    onGap: () => undefined,
    paramHeaders: (name, args) => (name === 'do' ? paramHeaders(read.annotations, args) : {}),
    ...changed,
  }
}

const complete = { resultType: 'complete' }

/** What closes while a script runs. */
function closing(): { readonly script: Script; readonly closed: Promise<void> } {
  let onClose = (): void => {}
  const closed = new Promise<void>((resolve) => (onClose = resolve))
  return { script: ({ response }) => void response.once('close', onClose), closed }
}

describe.each<[string, HttpTransportOptions]>([
  ["Node's agent", {}],
  ['fetch', { fetch: globalThis.fetch }],
])('a request that stands for itself, by %s', (_, options) => {
  test.each<[string, JsonObject, string | undefined]>([
    ['server/discover', {}, undefined],
    ['tools/list', {}, undefined],
    ['tools/call', { name: 'my-hyphenated-tool' }, 'my-hyphenated-tool'],
    ['resources/list', {}, undefined],
    ['resources/read', { uri: 'file:///a%20b.txt' }, 'file:///a%20b.txt'],
    ['prompts/get', { name: 'review' }, 'review'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'review' } }, undefined],
    ['subscriptions/listen', { notifications: {} }, undefined],
    ['tasks/get', { taskId: 't-1' }, 't-1'],
  ])('%s is repeated by its headers [N07-HDR-01] [N07-HTTP-03]', async (method, params, name) => {
    await using server = await openScriptedServer({ [method]: (reply) => reply.json(complete) })
    await using client = openStandalone(server, options)

    expect(await client.request(method, params)).toEqual(complete)

    const [seen, ...more] = server.seen
    expect(more).toEqual([])
    expect(seen?.verb).toBe('POST')
    expect(seen?.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': version,
      'mcp-method': method,
    })
    expect(seen?.headers['mcp-name']).toBe(name)
    expect(seen?.headers['mcp-session-id']).toBeUndefined()
    expect(seen?.headers['last-event-id']).toBeUndefined()
  })

  test.each([
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    [' a', '=?base64?IGE=?='],
    ['a\r\nx-admin: 1', '=?base64?YQ0KeC1hZG1pbjogMQ==?='],
    ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
    ['', ''],
  ])('a name that no header may have is encoded: %j [N07-HDR-04]', async (name, header) => {
    await using server = await openScriptedServer()
    await using client = openStandalone(server, options)

    await client.request('tools/call', { name })

    expect(server.seen[0]?.headers['mcp-name']).toBe(header)
    expect(server.seen[0]?.headers['x-admin']).toBeUndefined()
  })

  test('headers repeat annotated arguments of the tool that is called [N07-XHDR-03]', async () => {
    const link = linkWith({
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        empty: { type: 'string', 'x-mcp-header': 'Empty' },
        absent: { type: 'string', 'x-mcp-header': 'Absent' },
        tenant: {
          type: 'object',
          properties: { size: { type: 'integer', 'x-mcp-header': 'Size' } },
        },
      },
    })
    await using server = await openScriptedServer()
    await using client = openStandalone(server, { ...options, link })
    const args = { region: 'Zürich', empty: '', absent: null, tenant: { size: -7 } }

    await client.request('tools/call', { name: 'do', arguments: args })
    await client.request('tools/call', { name: 'other', arguments: args })
    await client.request('prompts/get', { name: 'do', arguments: args })
    await client.request('tools/call', { name: 'do' })

    expect(server.seen.map(({ headers }) => paramsIn(headers))).toEqual([
      {
        'mcp-param-region': '=?base64?WsO8cmljaA==?=',
        'mcp-param-empty': '',
        'mcp-param-size': '-7',
      },
      {},
      {},
      {},
    ])
  })

  test.each<[string, (value: object) => Script]>([
    ['JSON', (value) => (reply) => reply.json(value)],
    ['a stream', asStream],
  ])('takes its answer as %s [N07-HTTP-03]', async (_kind, answer) => {
    await using server = await openScriptedServer({ 'tools/list': answer({ tools: [], a: 'ü' }) })
    await using client = openStandalone(server, options)

    expect(await client.request('tools/list')).toEqual({ tools: [], a: 'ü' })
  })

  test('hears what comes before the answer on its stream, with or without ids [N07-HTTP-06]', async () => {
    const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } }
    await using server = await openScriptedServer({
      'tools/call'(reply) {
        const events = reply.stream()
        events.raw(': still here\n\n')
        events.event(log)
        events.event(log, 'an-id')
        events.event(result(reply.message.id, complete))
        events.end()
      },
    })
    await using client = openStandalone(server, options)

    expect(await client.request('tools/call', { name: 'do' })).toEqual(complete)
    expect(client.notifications).toHaveLength(2)
    expect(server.seen).toHaveLength(1)
  })

  test.each<[string, Script]>([
    ['cut before its answer begins', (reply) => void reply.response.socket?.destroy()],
    [
      'cut after an event with an id',
      (reply) => {
        const events = reply.stream()
        events.event(progress(1, 1), 'id-1')
        setTimeout(() => events.cut(), 5)
      },
    ],
    [
      'ended after an event with an id',
      (reply) => {
        const events = reply.stream()
        events.raw('retry: 1\n\n')
        events.event('', 'id-1')
        events.end()
      },
    ],
    [
      'cut in the middle of JSON',
      ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        response.write('{"jsonrpc":')
        setTimeout(() => response.socket?.destroy(), 5)
      },
    ],
  ])(
    '%s is lost at once, and not taken up again [N07-CANC-07] [N07-HTTP-06]',
    async (_how, script) => {
      await using server = await openScriptedServer({ 'tools/call': script })
      const link = linkWith({})
      await using client = openStandalone(server, { ...options, link })
      await client.request('tools/list')

      await expect(client.request('tools/call', { name: 'do' })).rejects.toMatchObject({
        name: 'McpError',
        code: 'connection_lost',
        retryable: false,
        details: { sent: true },
      })

      await client.request('tools/list')
      expect(server.seen.map(({ verb, message }) => message.method ?? verb)).toEqual([
        'tools/list',
        'tools/call',
        'tools/list',
      ])
      expect(client.ended).toBeUndefined()
    },
  )

  test.each<[string, Script]>([
    ['before its answer begins', () => undefined],
    ['in the middle of its stream', (reply) => reply.stream().event(progress(1, 1), 'id')],
    ['in the middle of JSON', ({ response }) => void response.writeHead(200, json).write('{')],
  ])('is cancelled %s by closing it, and nothing is sent [N07-CANC-02]', async (_when, script) => {
    const { script: watch, closed } = closing()
    await using server = await openScriptedServer({
      'tools/call'(reply) {
        watch(reply)
        script(reply)
      },
    })
    await using client = openStandalone(server, options)
    const controller = new AbortController()
    const { signal } = controller
    const outcome = client
      .request('tools/call', { name: 'do' }, { signal })
      .catch((error: unknown) => error)
    await server.until('tools/call')

    controller.abort(new Error('enough'))

    expect(await outcome).toEqual(new Error('enough'))
    await closed
    await client.request('tools/list')
    expect(server.seen.map(({ message }) => message.method)).toEqual(['tools/call', 'tools/list'])
    expect(client.errors).toEqual([])
  })

  test('one that is cancelled leaves the others alone [N07-CANC-05]', async () => {
    await using server = await openScriptedServer({
      async 'tools/call'(reply) {
        const events = reply.stream()
        await server.until('prompts/list')
        events.event(result(reply.message.id, { n: reply.headers['mcp-name'] }))
        events.end()
      },
    })
    await using client = openStandalone(server, options)
    const controller = new AbortController()
    const { signal } = controller
    const given = client.request('tools/call', { name: 'a' }, { signal }).catch(() => 'given up')
    const kept = client.request('tools/call', { name: 'b' })
    await server.until('tools/call', 2)

    controller.abort()
    await client.request('prompts/list')

    expect(await given).toBe('given up')
    expect(await kept).toEqual({ n: 'b' })
    expect(client.errors).toEqual([])
  })

  test('all of them are closed with the transport, which has no session to end', async () => {
    const { script, closed } = closing()
    await using server = await openScriptedServer({
      'subscriptions/listen'(reply) {
        script(reply)
        reply.stream()
      },
    })
    const client = openStandalone(server, options)
    const outcome = client.request('subscriptions/listen').catch((error: unknown) => error)
    await server.until('subscriptions/listen')

    await client[Symbol.asyncDispose]()

    expect(await outcome).toEqual(new Error('closed'))
    await closed
    expect(server.seen).toHaveLength(1)
  })

  test.each<[number, number, string, object]>([
    [400, -32020, 'header_mismatch', { header: 'Mcp-Name' }],
    [400, -32021, 'missing_client_capability', { requiredCapabilities: { sampling: {} } }],
    [400, -32022, 'unsupported_version', { supported: ['2026-07-28'], requested: version }],
    [400, -32602, 'invalid_params', { why: 'no envelope' }],
    [404, -32601, 'method_not_found', { method: 'tools/call' }],
    [500, -32603, 'internal_error', {}],
  ])(
    'answered %i with %i is that error, with its data [N07-HDR-02] [N07-VER-01]',
    async (status, code, name, data) => {
      await using server = await openScriptedServer({
        'tools/call'({ message: { id = null }, ...reply }) {
          const error = { code, message: 'no', data }
          reply.status(status, { jsonrpc: '2.0', id: status === 404 ? null : id, error })
        },
      })
      await using client = openStandalone(server, options)

      await expect(client.request('tools/call', { name: 'do' })).rejects.toMatchObject({
        name: 'RpcError',
        code: name,
        wireCode: code,
        data,
      })
      await client.request('tools/list')
    },
  )

  test.each<[string, boolean]>([
    ['begun', true],
    ['not begun', false],
  ])(
    'a listening one whose answer has %s stays open for as long as nobody ends it [N07-SUB-16]',
    async (_what, hasBegun) => {
      const clock = createVirtualClock()
      let resume = (): void => {}
      await using server = await openScriptedServer({
        'subscriptions/listen'(reply) {
          let events = hasBegun ? reply.stream() : undefined
          events?.raw(': hello\n\n')
          resume = () => {
            events ??= reply.stream()
            events.raw(': still here\n\n')
            events.event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
            events.event(result(reply.message.id, complete))
            events.end()
          }
        },
      })
      await using client = openStandalone(server, { ...options, clock })
      const listening = client.request('subscriptions/listen')
      await server.until('subscriptions/listen')

      await clock.advance(24 * 3_600_000)
      resume()

      expect(await listening).toEqual(complete)
      expect(client.notifications.map(({ method }) => method)).toEqual([
        'notifications/tools/list_changed',
      ])
    },
  )

  test('more than may be taken ends one request and no other', async () => {
    await using server = await openScriptedServer({
      'tools/call': asStream({ text: 'x'.repeat(400_000) }),
    })
    await using client = openStandalone(server, { ...options, limits: { messageBytes: 1000 } })

    await expect(client.request('tools/call', { name: 'do' })).rejects.toMatchObject({
      code: 'limit_exceeded',
    })
    await client.request('tools/list')
  })

  test('credentials go with every one, and a challenge is answered as ever [N07-HTTP-08]', async () => {
    let token = 'old'
    const auth: ClientAuth = {
      authorize: async () => ({ authorization: `Bearer ${token}` }),
      async challenged() {
        token = 'new'
        return true
      },
    }
    await using server = await openScriptedServer({
      'server/discover': (reply) =>
        reply.headers.authorization === 'Bearer new' ? reply.json(complete) : reply.status(401),
    })
    await using client = openStandalone(server, { ...options, auth, headers: { 'X-Team': 'a' } })

    await client.request('server/discover')
    await client.request('tools/list')

    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old',
      'Bearer new',
      'Bearer new',
    ])
    for (const { headers, message } of server.seen) {
      expect(headers).toMatchObject({ 'mcp-method': message.method, 'x-team': 'a' })
    }
  })

  test('a redirect takes the headers along that repeat the body, and no other', async () => {
    await using other = await openScriptedServer()
    await using server = await openScriptedServer({
      POST: (reply) => reply.status(307, '', { location: other.url }),
    })
    const link = linkWith({ properties: { a: { type: 'string', 'x-mcp-header': 'A' } } })
    const headers = { authorization: 'Bearer secret' }
    await using client = openStandalone(server, { ...options, link, headers })

    await client.request('tools/call', { name: 'do', arguments: { a: 'b' } })

    expect(other.seen[0]?.headers).toMatchObject({
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'do',
      'mcp-param-a': 'b',
    })
    expect(other.seen[0]?.headers.authorization).toBeUndefined()
  })
})

const json = { 'content-type': 'application/json' }

function paramsIn(headers: object): object {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')),
  )
}

/** Stops the server, and lets the client find its idle connections dead. */
async function goAway(server: ScriptedServer, client: StandaloneClient): Promise<void> {
  await server.stop()
  const signal = AbortSignal.timeout(20)
  await client.request('ping', {}, { signal }).catch(() => undefined)
}

test('who cannot be reached at first is not waited for; later on, what has not left is sent', async () => {
  const states: TransportHealth['state'][] = []
  const link = linkWith({}, { onHealth: ({ state }) => void states.push(state) })
  const reconnect = { minDelayMs: 5, maxDelayMs: 10 }
  await using server = await openScriptedServer()
  await using client = openStandalone(server, { link, reconnect })
  await server.stop()
  await expect(client.request('server/discover')).rejects.toMatchObject({ code: 'unreachable' })
  await server.start()
  await client.request('tools/list')
  await goAway(server, client)

  const late = Promise.all([client.request('tools/list'), client.request('prompts/list')])
  await expect.poll(() => states).toContain('reconnecting')
  await server.start()
  await late

  expect(states.at(-1)).toBe('ready')
  expect(server.sent('tools/list')).toHaveLength(2)
  expect(server.sent('GET')).toEqual([])
})

test('one that waits for the server can be cancelled before it ever leaves', async () => {
  const reconnect = { minDelayMs: 5, maxDelayMs: 10 }
  await using server = await openScriptedServer()
  await using client = openStandalone(server, { reconnect })
  await client.request('tools/list')
  await goAway(server, client)
  const controller = new AbortController()
  const { signal } = controller
  const waiting = client.request('prompts/list', {}, { signal }).catch((error: unknown) => error)

  controller.abort(new Error('enough'))
  expect(await waiting).toEqual(new Error('enough'))
  await server.start()
  await client.request('tools/list')

  expect(server.sent('prompts/list')).toEqual([])
})
