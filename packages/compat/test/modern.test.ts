import { configure } from '@parley/compat/options'
import { Server } from '@parley/compat/server/index.js'
import { McpServer } from '@parley/compat/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@parley/compat/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@parley/compat/types.js'
import { connect } from '@parley/mcp/client'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'

const modern = { protocolVersion: '2026-07-28' } as const

/** A transport of a program, reached by `fetch`. `tokens` become what a middleware of the program finds out. */
function reach(transport: WebStandardStreamableHTTPServerTransport) {
  return async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(address, init)
    const token = request.headers.get('x-token')
    return transport.handleRequest(
      request,
      token === null ? {} : { authInfo: { token, clientId: 'c', scopes: [] } },
    )
  }
}

async function serve(server: Pick<McpServer, 'connect'>) {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 'S' })
  await server.connect(transport)
  onTestFinished(() => transport.close())
  return reach(transport)
}

test('a client of 2026-07-28 uses a server that was written for older revisions', async () => {
  const server = new McpServer({ name: 'old', version: '1' })
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }))
  const fetch = await serve(server)

  await using client = await connect('http://server.test/mcp', { fetch, ...modern })

  const names: string[] = []
  for await (const { name } of client.listTools()) names.push(name)
  expect(names).toEqual(['add'])
  expect(await client.callTool('add', { a: 1, b: 2 })).toMatchObject({
    content: [{ type: 'text', text: '3' }],
  })
})

test('a server asks the user in the middle of a call', async () => {
  const server = new Server({ name: 'old', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'ask', inputSchema: { type: 'object' } }],
  }))
  server.setRequestHandler(CallToolRequestSchema, async (_request, extra) => {
    const answer = await server.elicitInput(
      {
        message: 'Who?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      },
      { relatedRequestId: extra.requestId },
    )
    return { content: [{ type: 'text', text: JSON.stringify(answer.content) }] }
  })
  const fetch = await serve(server)

  await using client = await connect('http://server.test/mcp', {
    fetch,
    ...modern,
    elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
  })

  expect(await client.callTool('ask')).toMatchObject({
    content: [{ type: 'text', text: '{"name":"Ada"}' }],
  })
})

test('calls at the same time run with the identity they came with', async () => {
  const server = new Server({ name: 'old', version: '1' }, { capabilities: { tools: {} } })
  const waiting: (() => void)[] = []
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'who', inputSchema: { type: 'object' } }],
  }))
  server.setRequestHandler(CallToolRequestSchema, async (_request, { authInfo }) => {
    const token = authInfo?.token
    // Each waits until both are there.
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 2) for (const one of waiting) one()
    })
    return { content: [{ type: 'text', text: String(token) }] }
  })
  const fetch = await serve(server)
  const call = async (token: string) => {
    await using client = await connect('http://server.test/mcp', {
      fetch,
      ...modern,
      headers: { 'x-token': token },
    })
    return await client.callTool('who')
  }

  const [one, other] = await Promise.all([call('one'), call('other')])

  expect([one, other]).toMatchObject([
    { content: [{ text: 'one' }] },
    { content: [{ text: 'other' }] },
  ])
})

test('a program turns the newest revision off', async () => {
  configure({ modern: false })
  onTestFinished(() => configure({ modern: true }))
  const fetch = await serve(new McpServer({ name: 'old', version: '1' }))

  const response = await fetch('http://server.test/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })

  expect(response.status).toBe(400)
})
