import { supportedRevisions } from '@parley/mcp'
import { type Context, createServer, defineTool } from '@parley/mcp/server'
import { createTestClient, createVirtualClock, testAuth } from '@parley/mcp/testing'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'

const add = defineTool(
  'add',
  {
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  },
  ({ a, b }) => ({ sum: a + b }),
)

function calculator() {
  return createServer({ name: 'calculator', version: '1.0.0', features: [add] })
}

describe('createTestClient', () => {
  test('connects in one line, typed by the server', async () => {
    await using client = await createTestClient(calculator())

    const { structuredContent } = await client.callTool('add', { a: 1, b: 2 })

    expect(structuredContent?.sum satisfies number | undefined).toBe(3)
    expect(client.negotiated).toMatchObject({
      revision: supportedRevisions[0],
      transport: 'memory',
    })
  })

  test('keeps every frame in order, both ways', async () => {
    await using client = await createTestClient(calculator())

    await client.callTool('add', { a: 1, b: 2 })

    const seen = client.frames.map(({ direction, message }) => {
      const { method, result } = message as { method?: string; result?: object } // JSON-RPC
      return `${direction} ${method ?? (result && 'result')}`
    })
    expect(seen.slice(0, 4)).toEqual([
      'out server/discover',
      'in result',
      'out tools/call',
      'in result',
    ])
    expect(client.frames.every(({ bytes, at }) => bytes > 0 && Number.isFinite(at))).toBe(true)
  })

  test('hands frames to onMessage too', async () => {
    const frames: unknown[] = []
    await using client = await createTestClient(calculator(), {
      onMessage: (frame) => frames.push(frame),
    })

    await client.ping()

    expect(frames).toEqual(client.frames)
  })

  test.each(supportedRevisions)('speaks %s if told to', async (revision) => {
    await using client = await createTestClient(calculator(), { revision })

    expect(client.negotiated.revision).toBe(revision)
  })

  test('calls as the caller it is given', async () => {
    const server = createServer({ name: 'who', version: '1.0.0' })
    server.tool('whoami', { scopes: ['who'] }, (_, { auth }) => `${auth?.subject}`)

    await using ada = await createTestClient(server, {
      caller: testAuth({ subject: 'ada', scopes: ['who'] }),
    })
    await using bob = await createTestClient(server, { caller: testAuth({ subject: 'bob' }) })

    expect(await ada.callTool('whoami')).toEqual({ content: [{ type: 'text', text: 'ada' }] })
    await expect(bob.callTool('whoami')).rejects.toMatchObject({ code: 'insufficient_scope' })
  })

  test('can be cut as by a crash: the call is lost and the handler learns of it', async () => {
    const clock = createVirtualClock()
    let context: Context | undefined
    const server = createServer({ name: 'slow', version: '1.0.0' })
    server.tool('wait', {}, (_, given) => ((context = given), new Promise(() => undefined)))
    await using client = await createTestClient(server, { clock })
    const calling = client.callTool('wait').catch((error: unknown) => error)
    await client.idle()
    const signal = context?.signal

    client.cut()

    expect(await calling).toMatchObject({
      code: 'connection_lost',
      cause: { message: 'the connection was cut' },
    })
    await client.idle()
    expect(signal?.aborted).toBe(true)
    expect(client.status).toMatchObject({ state: 'closed', cause: { code: 'connection_lost' } })
  })

  test('settles when nothing is left to do without time passing', async () => {
    const clock = createVirtualClock()
    const done: string[] = []
    const server = createServer({ name: 'steps', version: '1.0.0' })
    server.tool('steps', {}, async () => {
      for (let step = 0; step < 50; step += 1) await Promise.resolve()
      done.push('steps')
    })
    server.tool('sleep', {}, async () => {
      await new Promise<void>((resolve) => void clock.setTimer(resolve, 10))
      done.push('sleep')
    })
    await using client = await createTestClient(server, { clock })

    const calls = [client.callTool('steps'), client.callTool('sleep')]
    await client.idle()
    expect(done).toEqual(['steps'])
    await clock.advance(10)
    await Promise.all(calls)

    expect(done).toEqual(['steps', 'sleep'])
  })

  test('meets the faults it is given, on its own clock', async () => {
    const clock = createVirtualClock()
    await using client = await createTestClient(calculator(), {
      revision: '2025-11-25',
      clock,
      timeouts: { idleMs: 1_000 },
      faults: {
        rules: [
          { when: { method: 'ping', direction: 'in', nth: 1 }, fault: { kind: 'delay', ms: 400 } },
          { when: { method: 'tools/call', direction: 'out' }, fault: { kind: 'drop' } },
        ],
      },
    })

    const pinging = client.ping()
    await clock.advance(400)
    const calling = client.callTool('add', { a: 1, b: 2 }).catch((error: unknown) => error)
    await clock.advance(1_000)

    expect(await pinging).toBe(400)
    expect(await calling).toMatchObject({ code: 'timeout' })
  })

  test.each(['objects', 'text'] as const)('sends %s through the channel', async (through) => {
    const server = createServer({ name: 'date', version: '1.0.0', onError: () => undefined })
    server.tool('now', {}, () => ({ content: [], _meta: { at: new Date(0) } as never }))
    await using client = await createTestClient(server, { through })

    const { _meta } = await client.callTool('now')

    expect(_meta).toEqual({ at: through === 'text' ? '1970-01-01T00:00:00.000Z' : new Date(0) })
  })

  test('leaves the faults of a server to the server, also with an onError of its own', async () => {
    const faults = { server: vi.fn(), client: vi.fn() }
    const server = createServer({ name: 'faulty', version: '1.0.0', onError: faults.server })
    server.tool('boom', {}, () => {
      throw new Error('boom')
    })
    await using client = await createTestClient(server, { onError: faults.client })

    await client.callTool('boom')

    expect(faults.server).toHaveBeenCalledTimes(1)
    expect(faults.client).not.toHaveBeenCalled()
  })

  test('stays a test client after use()', async () => {
    await using client = await createTestClient(calculator())

    expect(client.use((_, next) => next()).frames).toBe(client.frames)
  })
})

describe('testAuth', () => {
  test('fills in what is not given', () => {
    const auth = testAuth({ subject: 'ada', scopes: ['read'] })

    expect(auth).toMatchObject({ subject: 'ada', scopes: new Set(['read']) })
    expect(auth.expiresAt).toBeGreaterThan(Date.now())
    expect(testAuth().scopes.size).toBe(0)
  })
})
