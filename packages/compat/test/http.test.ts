/**
 * The same program behind Streamable HTTP on the official package and on this one: status, headers and bodies are equal, byte by byte.
 *
 * Goes through the transport for web requests, which the one for Node shares; `published/http.mjs` compares servers that listen.
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { EventStore } from '@parley/compat/server/webStandardStreamableHttp.js'
import { expect, test } from 'vitest'

import { type Sdk, expectSame } from './both-packages.ts'

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  },
}
const call = (id: unknown, name = 'echo') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name },
})

function request(body: unknown, more: Record<string, string> = {}, method = 'POST'): Request {
  return new Request('http://localhost:3000/mcp?x=1', {
    method,
    headers: { ...headers, ...more },
    body: method === 'POST' ? (typeof body === 'string' ? body : JSON.stringify(body)) : undefined,
  })
}

type Replay = Parameters<EventStore['replayEventsAfter']>[1]

/** A transport with a server, and what it reported. */
async function serve({ mcp, http }: Sdk, options: object) {
  const server = new mcp.McpServer({ name: 's', version: '1' }, { capabilities: { logging: {} } })
  server.registerTool('echo', {}, async (extra) => {
    await extra.sendNotification({
      method: 'notifications/message',
      params: { level: 'info', data: 'd' },
    })
    const { requestInfo, sessionId, authInfo } = extra
    return {
      content: [
        {
          type: 'text',
          text: JSON.stringify({ requestInfo, sessionId, authInfo, keys: Object.keys(extra) }),
        },
      ],
    }
  })
  const transport = new http.WebStandardStreamableHTTPServerTransport(options)
  const errors: string[] = []
  transport.onerror = ({ message }) => errors.push(message)
  await server.connect(transport)
  const send = async (one: Request, more?: object) => {
    const response = await transport.handleRequest(one, more)
    const body = response.body ? await response.text() : null
    return [response.status, Object.fromEntries(response.headers), body]
  }
  return { transport, errors, send }
}

test('a session over HTTP is answered the same, byte by byte', async () => {
  const transcript = await expectSame(async (sdk) => {
    const { send, errors, transport } = await serve(sdk, {
      sessionIdGenerator: () => 'S',
      maxRequestBodySize: 500,
    })
    const session = { 'mcp-session-id': 'S' }
    const answers: unknown[] = []
    for (const one of [
      request(call(2)),
      request(initialize),
      request(initialize),
      request(call(2)),
      request(call(2), { 'mcp-session-id': 'X' }),
      request(call(2), { ...session, 'mcp-protocol-version': 'x' }),
      request(call(2), session),
      request({ jsonrpc: '2.0', method: 'notifications/initialized' }, session),
      request([call(3), call('x')], session),
      request([], session),
      request(' '.repeat(600), session),
      request('{', session),
      request({ a: 1 }, session),
      request(call(4), { ...session, accept: 'application/json' }),
      request(call(4), { ...session, 'content-type': 'text/plain' }),
      request(0, session, 'PUT'),
      request(0, { ...session, accept: 'x' }, 'GET'),
      request({ jsonrpc: '2.0', id: 9, result: {} }, session),
      request(0, session, 'DELETE'),
      request(call(8), session),
    ]) {
      answers.push(await send(one))
    }
    return { answers, errors, sessionId: transport.sessionId }
  })

  const { answers, errors, sessionId } = transcript as {
    answers: unknown[]
    errors: unknown[]
    sessionId: string
  }
  expect([answers.length, errors.length, sessionId]).toEqual([20, 12, 'S'])
})

test('one request for each transport, answered with JSON', async () => {
  await expectSame(async (sdk) => {
    const options = { sessionIdGenerator: undefined, enableJsonResponse: true }
    const { send } = await serve(sdk, options)
    const batch = await serve(sdk, options)
    return [
      await send(request(call(1)), { authInfo: { token: 't', clientId: 'c', scopes: [] } }),
      await send(request(call(1))).catch(String),
      await batch.send(request([call(1), call(2)])),
    ]
  })
})

test('streams with an event store are primed, stored and replayed the same', async () => {
  await expectSame(async (sdk) => {
    const stored: [string, unknown][] = []
    const streams: string[] = []
    const eventStore = {
      storeEvent: async (stream: string, message: unknown) => {
        if (!streams.includes(stream)) streams.push(stream)
        stored.push([`stream ${streams.indexOf(stream)}`, message])
        return `e${stored.length}`
      },
      replayEventsAfter: async (_id: string, { send }: Replay) => {
        await send('e2', { jsonrpc: '2.0', method: 'replayed' })
        return streams[0] as string
      },
    }
    const { send, transport } = await serve(sdk, {
      sessionIdGenerator: () => 'S',
      eventStore,
      retryInterval: 77,
    })
    const session = { 'mcp-session-id': 'S' }
    const answers = [
      await send(request(initialize)),
      await send(request(call(2), { ...session, 'mcp-protocol-version': '2025-11-25' })),
      await send(request(call(3), { ...session, 'mcp-protocol-version': '2025-06-18' })),
      await send(
        request(
          Array.from({ length: 101 }, () => call(3)),
          session,
        ),
      ),
    ]
    const replay = await transport.handleRequest(
      request(0, { ...session, 'last-event-id': 'e1' }, 'GET'),
    )
    const reader = replay.body?.getReader()
    const first = await reader?.read()
    await reader?.cancel()
    return [answers, stored, new TextDecoder().decode(first?.value), replay.status]
  })
})

test('a transport without sessions that is used twice answers 500, and a handler is told of its request', async () => {
  await expectSame(async (sdk) => {
    const transport = new sdk.nodeHttp.StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
    })
    const server = new sdk.server.Server(
      { name: 's', version: '1' },
      { capabilities: { tools: {} } },
    )
    server.setRequestHandler(sdk.types.CallToolRequestSchema, (_request, { requestInfo }) => {
      const copy = { ...requestInfo, headers: { ...requestInfo?.headers, host: 'HOST' } }
      return {
        content: [{ type: 'text', text: JSON.stringify({ ...copy, url: copy.url?.pathname }) }],
      }
    })
    await server.connect(transport)
    const http = createServer((incoming, response) => {
      void transport.handleRequest(incoming, response)
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const { port } = http.address() as AddressInfo
    const answers = []
    for (const id of [1, 2]) {
      const init = { method: 'POST', headers, body: JSON.stringify(call(id)) }
      const response = await fetch(`http://127.0.0.1:${port}/mcp?x=1`, init)
      answers.push([response.status, response.headers.get('content-type'), await response.text()])
    }
    http.close()
    http.closeAllConnections()
    return answers
  })
})
