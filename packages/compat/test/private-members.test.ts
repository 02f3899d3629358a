/**
 * Private members that published packages touch, used as these packages use them.
 *
 * A title names the packages that were found to do it. No other private member is promised.
 */

import { Client } from '@parley/compat/client/index.js'
import { StdioClientTransport } from '@parley/compat/client/stdio.js'
import { InMemoryTransport } from '@parley/compat/inMemory.js'
import { Server } from '@parley/compat/server/index.js'
import { McpServer, ResourceTemplate } from '@parley/compat/server/mcp.js'
import { StreamableHTTPServerTransport } from '@parley/compat/server/streamableHttp.js'
import { ListToolsRequestSchema, LoggingMessageNotificationSchema } from '@parley/compat/types.js'
import { expect, test } from 'vitest'

/** Private members, which published packages use. A title names those that were found to do it. */
const inside = (object: object): any => object

async function connect(server: Server) {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { roots: {} } })
  await server.connect(serverSide)
  await client.connect(clientSide)
  return { client, serverSide }
}

test('`_requestHandlers`: mcpcat and @posthog/mcp wrap handlers by their method', async () => {
  const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }))
  const handlers: Map<string, (request: unknown, extra: unknown) => Promise<any>> =
    inside(server)._requestHandlers
  expect(handlers.has('tools/call')).toBe(false)
  const before = handlers.get('tools/list')
  handlers.set('tools/list', async (request, extra) => ({
    ...(await before?.(request, extra)),
    wrapped: true,
  }))
  const { client } = await connect(server)

  expect(await client.listTools()).toEqual({ tools: [], wrapped: true })
})

test('`_registeredTools`: mcp-use looks up, replaces and deletes tools by name', async () => {
  const server = new McpServer({ name: 's', version: '1' })
  server.registerTool('a', { description: 'before' }, () => ({ content: [] }))
  const tools = inside(server)._registeredTools
  const { client } = await connect(server.server)

  expect(await tools.a.handler({})).toEqual({ content: [] })
  tools.a.description = 'after'
  tools.b = tools.a
  delete tools.a
  expect((await client.listTools()).tools).toMatchObject([{ name: 'b', description: 'after' }])
})

test('`_registeredTools`: mcpcat and @posthog/mcp put a proxy in its place', async () => {
  const server = new McpServer({ name: 's', version: '1' })
  server.registerTool('a', {}, () => ({ content: [] }))
  const before = inside(server)._registeredTools
  const registered: string[] = []
  inside(server)._registeredTools = new Proxy(before, {
    set(target, name, tool) {
      registered.push(String(name))
      return Reflect.set(target, name, tool)
    },
  })
  server.registerTool('b', {}, () => ({ content: [] }))
  const { client } = await connect(server.server)

  expect(registered).toEqual(['b'])
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('`_registeredPrompts`, `_registeredResources`, `_registeredResourceTemplates`: mcp-use replaces them whole', async () => {
  const server = new McpServer({ name: 's', version: '1' })
  const prompt = server.registerPrompt('p', {}, () => ({ messages: [] }))
  const resource = server.registerResource('r', 'file:///r', {}, () => ({ contents: [] }))
  const template = server.registerResource(
    't',
    new ResourceTemplate('x://{a}', { list: undefined }),
    {},
    () => ({ contents: [] }),
  )
  inside(server)._registeredPrompts = { q: prompt }
  inside(server)._registeredResources = { 'file:///s': resource }
  inside(server)._registeredResourceTemplates = { u: template }
  const { client } = await connect(server.server)

  expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'q' }])
  expect((await client.listResources()).resources).toMatchObject([{ uri: 'file:///s' }])
  expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ name: 'u' }])
})

test('`_notificationHandlers`: mcp-use looks at what a client listens to', async () => {
  const client = new Client({ name: 'c', version: '1' })
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => {})

  expect([...inside(client)._notificationHandlers.keys()]).toContain('notifications/message')
})

test('`_clientCapabilities`, `_clientVersion`, `_serverInfo`, `_instructions`, `_options`: what was said; mcpcat reads `_serverInfo`', async () => {
  const options = { instructions: 'read me', capabilities: { tools: {} } }
  const server = new Server({ name: 's', version: '1' }, options)
  inside(server)._serverInfo = { name: 'other', version: '2' }
  inside(server)._instructions = 'read this'
  const { client } = await connect(server)

  expect(inside(server)._clientCapabilities).toEqual({ roots: {} })
  expect(inside(server)._clientVersion).toEqual({ name: 'c', version: '1' })
  expect(inside(server)._options).toBe(options)
  expect(client.getServerVersion()).toEqual({ name: 'other', version: '2' })
  expect(client.getInstructions()).toBe('read this')
})

test('`_oninitialize`: is wrapped by a program', async () => {
  const server = new Server({ name: 's', version: '1' })
  const before = inside(server)._oninitialize.bind(server)
  inside(server)._oninitialize = async (request: unknown) => ({
    ...(await before(request)),
    instructions: 'from the wrapper',
  })
  const { client } = await connect(server)

  expect(client.getInstructions()).toBe('from the wrapper')
})

test('`_transport`, `_responseHandlers`: the connection and what is open on it', async () => {
  const server = new Server({ name: 's', version: '1' })
  const { client, serverSide } = await connect(server)
  expect(inside(server)._transport).toBe(serverSide)

  const pending = client.ping()
  expect(inside(client)._responseHandlers.size).toBe(1)
  await pending
  expect(inside(client)._responseHandlers.size).toBe(0)
})

test('`_webStandardTransport`: @posthog/mcp sets the session of the transport inside of the one for Node', () => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'S' })
  const web = inside(transport)._webStandardTransport
  web.sessionId = 'S'
  web._initialized = true

  expect(transport.sessionId).toBe('S')
})

test('`_process`, `_abortController`, `_readBuffer`: the inside of the stdio client', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['-e', 'process.stdin.resume()'],
  })
  await transport.start()

  expect(inside(transport)._process.pid).toBe(transport.pid)
  expect(inside(transport)._abortController).toBeInstanceOf(AbortController)
  inside(transport)._readBuffer.append(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}\n'))
  expect(inside(transport)._readBuffer.readMessage()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  await transport.close()
  expect(inside(transport)._process).toBeUndefined()
})
