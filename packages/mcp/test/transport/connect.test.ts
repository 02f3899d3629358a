import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { connect, type ConnectOptions } from '@parley/mcp/client'
import { createServer, serveTransport } from '@parley/mcp/server'
import { createTransportPair } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

const server = createServer({ name: 'greeter', version: '1.0.0' })
server.tool('greet', {}, () => 'hello')
const hello = { content: [{ type: 'text', text: 'hello' }] }

test('connects to a definition in this process', async () => {
  await using client = await connect(server)

  expect(await client.callTool('greet')).toEqual(hello)
  expect(client.negotiated.transport).toBe('memory')
})

test('connects any number of clients to one definition', async () => {
  const clients = await Promise.all([connect(server), connect(server), connect(server)])

  await clients[0]?.close()

  expect(await clients[1]?.callTool('greet')).toEqual(hello)
  await Promise.all(clients.map((client) => client.close()))
})

test('connects over a transport', async () => {
  const [near, far] = createTransportPair()
  serveTransport(server, far)

  await using client = await connect(near)

  expect(await client.callTool('greet')).toEqual(hello)
})

test('connects over a transport that can only be iterated', async () => {
  const [{ messages, send, [Symbol.asyncDispose]: dispose }, far] = createTransportPair()
  serveTransport(server, far)

  await using client = await connect({ messages, send, [Symbol.asyncDispose]: dispose })

  expect(client.negotiated.transport).toBe('custom')
  expect(await client.callTool('greet')).toEqual(hello)
})

test('does not use a transport twice, and leaves the first user alone', async () => {
  const [near, far] = createTransportPair()
  serveTransport(server, far)
  await using client = await connect(near)

  await expect(connect(near)).rejects.toThrow('already')

  expect(await client.callTool('greet')).toEqual(hello)
})

test('does not open a transport again to reconnect: it says it is closed', async () => {
  const [near, far] = createTransportPair()
  const service = serveTransport(server, far)
  const states: string[] = []
  await using client = await connect(near, {
    reconnect: { maxAttempts: 1, minDelayMs: 1, maxDelayMs: 1 },
    onStatus: ({ state }) => states.push(state),
  })

  await service.drain()

  await expect(client.ping()).rejects.toMatchObject({
    code: 'closed',
    message: 'a transport cannot be opened again',
  })
  expect(states).toEqual(['ready', 'reconnecting', 'closed'])
})

test.each(['node server.js', 'server.js', './server', 'example.com/mcp', ''])(
  'takes %j for no URL, and says how a command is written',
  async (target) => {
    await expect(connect(target)).rejects.toMatchObject({
      code: 'invalid_target',
      details: { target },
      message: expect.stringContaining("{ command: 'node', args: ['server.js'] }"),
    })
  },
)

test.each([{}, null, undefined, 7, { port: 3000 }])(
  'says of %j that it is no target',
  async (target) => {
    await expect(connect(target as never)).rejects.toMatchObject({
      name: 'McpError',
      code: 'invalid_target',
    })
  },
)

test('starts a command given as an entry, and says why if it cannot', async () => {
  const command = 'no-such-command-anywhere'

  await expect(connect({ command })).rejects.toMatchObject({
    code: 'spawn_failed',
    message: expect.stringContaining(command),
  })
})

test('gives up with the signal of whoever is waiting', async () => {
  const [near] = createTransportPair()
  const controller = new AbortController()

  const connecting = connect(near, { signal: controller.signal })
  const outcome = connecting.catch((error: unknown) => error)
  controller.abort(new Error('too slow'))

  expect(await outcome).toEqual(new Error('too slow'))
})

test('starts nothing for somebody who has given up already', async () => {
  const file = join(tmpdir(), `parley-never-${process.pid}`)
  const args = ['-e', `require('fs').writeFileSync(${JSON.stringify(file)}, '')`]
  const signal = AbortSignal.abort(new Error('never mind'))

  await expect(connect({ command: 'node', args }, { signal })).rejects.toThrow('never mind')

  expect(existsSync(file)).toBe(false)
})

test.each([
  ['gives up', (): ConnectOptions => ({ signal: AbortSignal.timeout(20) }), 'TimeoutError'],
  ['runs out of time', (): ConnectOptions => ({ timeouts: { connectMs: 20 } }), 'McpError'],
])('who %s does not wait for the server to end', async (_, options, name) => {
  const [near] = createTransportPair()
  const endless = { ...near, [Symbol.asyncDispose]: () => new Promise<void>(() => undefined) }

  await expect(connect(endless, options())).rejects.toMatchObject({ name })
})

test.each([
  [{ command: 'node', args: 'server.js' }, 'args have to be a list of strings'],
  [{ command: 'node', args: [1] }, 'args have to be a list of strings'],
  [{ command: 5 }, 'command has to be the name or path of a program'],
  [{ command: 'node', env: 'A=1' }, 'env has to be an object'],
  [{ command: 'node', cwd: 7 }, 'cwd has to be a path'],
])('says what is wrong with the entry %j', async (entry, why) => {
  await expect(connect(entry as never)).rejects.toMatchObject({
    code: 'invalid_target',
    message: `${why}: { command: 'node', args: ['server.js'] }`,
  })
})

test('says how a command line is written apart', async () => {
  await expect(connect({ command: 'node server.js --port 1' })).rejects.toMatchObject({
    code: 'spawn_failed',
    hint: 'Write the arguments apart: {"command":"node","args":["server.js","--port","1"]}.',
  })
})

test('calls a server in this process by its name', async () => {
  await using client = await connect(server)

  await expect(client.listPrompts().toArray()).rejects.toMatchObject({
    message: 'prompts/list: greeter does not offer prompts',
    peer: 'greeter',
  })
})
