import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createServer } from '@parley/mcp/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'

import { createSampleServer } from '../../support/sample-server.ts'
import { listen } from './sockets.ts'

// It uses the global one, which Node 20 does not have.
beforeAll(() => void vi.stubGlobal('WebSocket', WebSocket))
afterAll(() => void vi.unstubAllGlobals())

test('the official client works on our server, and leaves cleanly [WS-01] [WS-02] [WS-05]', async () => {
  const sample = createSampleServer()
  await using listening = await listen(sample.server)
  const client = new Client({ name: 'official', version: '1.0.0' })
  await client.connect(new WebSocketClientTransport(new URL(listening.url)))

  expect(client.getServerVersion()).toMatchObject({ name: 'sample' })
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['count', 'hang'])
  expect((await client.callTool({ name: 'count' })).content).toEqual([{ type: 'text', text: '1' }])
  expect((await client.readResource({ uri: 'note://one' })).contents).toMatchObject([
    { text: 'text' },
  ])
  await expect(client.getPrompt({ name: 'none' })).rejects.toMatchObject({ code: -32602 })
  await client.close()

  await vi.waitFor(() => expect(listening.service.sockets).toBe(0))
})

test('the official client answers our questions', async () => {
  const server = createServer({ name: 'asking', version: '1.0.0', onError: () => undefined })
  server.tool('roots', {}, async (_, context) => {
    const roots = await context.listRoots()
    return roots.map(({ uri }) => uri).join()
  })
  await using listening = await listen(server)
  const client = new Client({ name: 'official', version: '1.0.0' }, { capabilities: { roots: {} } })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/me' }] }))
  await client.connect(new WebSocketClientTransport(new URL(listening.url)))

  expect((await client.callTool({ name: 'roots' })).content).toMatchObject([
    { text: 'file:///home/me' },
  ])
  await client.close()
})
