import { RpcError } from '@parley/mcp'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { textOf } from '../running.ts'
import { open, serveTest, startTestGateway } from './running.ts'

function red(): Server {
  const server = createServer({ name: 'red', version: '1.0.0' })
  server.tool('who', {}, () => 'red')
  server.prompt('greet', {}, () => 'hello')
  return server
}

/** The same server after a deploy. */
function serveAgain({ url }: HttpService): Promise<HttpService> {
  const port = Number(url.port)
  return serveHttp(red(), { port, host: '127.0.0.1', ownsProcess: false, onError: () => undefined })
}

test.each(['legacy', 'modern'] as const)(
  'calls wait while a server is away for a deploy, and get its first answers (%s)',
  async (era) => {
    const before = await serveTest(red())
    const states: string[] = []
    await using gateway = await startTestGateway({
      backOff: { minMs: 60_000, maxMs: 120_000 },
      servers: { red: { url: before.url.href } },
      onState: (_, { state }) => void states.push(state),
    })
    await using client = await open(gateway, { protocolVersion: era })
    expect(textOf(await client.callTool('red__who'))).toBe('red')

    await before.drain({ deadlineMs: 0 })
    await client.callTool('red__who') // it had left on a connection that is gone
    await vi.waitFor(() => expect(states.at(-1)).not.toBe('ready'))
    const calls = [1, 2, 3].map(() => client.callTool('red__who'))
    await using after = await serveAgain(before)

    expect((await Promise.all(calls)).map(textOf)).toEqual(['red', 'red', 'red'])
    expect(after.url.port).toBe(before.url.port)
  },
)

test('connections that were refused do not count as starts that have failed', async () => {
  const before = await serveTest(red())
  const rejected: string[] = []
  await using gateway = await startTestGateway({
    backOff: { minMs: 1, maxMs: 10, patienceMs: 0 },
    servers: { red: { url: before.url.href } },
    onState: (_, state) => void ('attempt' in state && rejected.push(state.cause)),
  })
  await using client = await open(gateway)
  await client.callTool('red__who')

  await before.drain({ deadlineMs: 0 })
  await vi.waitFor(() => expect(rejected.length).toBeGreaterThan(7)) // five starts that fail in a minute are enough for a rest
  await using after = await serveAgain(before)

  await vi.waitFor(async () => expect(textOf(await client.callTool('red__who'))).toBe('red'))
  expect(rejected.join()).not.toContain('failed 5 times')
  expect(after.url.port).toBe(before.url.port)
})

test('a list that fails stays what it was, and is read again', async () => {
  const server = red()
  let isBroken = false
  let failures = 0
  server.use('prompts/list', (_, next) => {
    if (!isBroken) return next()
    failures += 1
    throw new RpcError('internal_error', 'the database is away')
  })
  await using service = await serveTest(server)
  await using gateway = await startTestGateway({
    backOff: { minMs: 1, maxMs: 5 },
    servers: { red: { url: service.url.href } },
  })
  await using client = await open(gateway)
  const names = async () => (await client.listPrompts().toArray()).map(({ name }) => name)
  await vi.waitFor(async () => expect(await names()).toEqual(['red__greet']))

  isBroken = true
  server.prompt('leave', {}, () => 'bye')
  await vi.waitFor(() => expect(failures).toBeGreaterThan(1))
  expect(await names()).toEqual(['red__greet'])
  isBroken = false

  await vi.waitFor(async () => expect(await names()).toEqual(['red__greet', 'red__leave']))
})

test('a list that fails for one client is not remembered for its session', async () => {
  const server = createServer({ name: 'dynamic', version: '1.0.0' })
  const opened = new Set<string | undefined>()
  let isBroken = false
  server.tool('open', {}, (_, context) => {
    opened.add(context.sessionId)
    server.notifyChanged('tools')
    return 'opened'
  })
  server.tool('inside', { visible: ({ sessionId }) => opened.has(sessionId) }, () => 'inside')
  server.use('tools/list', ({ context }, next) => {
    if (!isBroken || !opened.has(context.sessionId)) return next()
    throw new RpcError('internal_error', 'the database is away')
  })
  await using service = await serveTest(server)
  const errors: string[] = []
  await using gateway = await startTestGateway({
    servers: { one: { url: service.url.href, protocolVersion: 'legacy' } },
    onError: (error) => void errors.push(String(error)),
  })
  await using client = await open(gateway, { protocolVersion: 'legacy' })
  const names = async () => (await client.listTools().toArray()).map(({ name }) => name)

  isBroken = true
  await client.callTool('one__open')
  await vi.waitFor(async () => {
    expect(await names()).toEqual(['one__open']) // what is known of it, and not nothing
    expect(errors.join()).toContain('tools/list failed')
  })
  isBroken = false

  await vi.waitFor(async () => expect(await names()).toEqual(['one__open', 'one__inside']))
})
