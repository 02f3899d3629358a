import { isMcpError, RpcError } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { createTestClient, createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { describeServer } from '../support/matrix.ts'

const never = new Promise<never>(() => undefined)

describeServer('a tool', ({ rawClient }) => {
  test('that runs out of time is answered once, and its signal aborts', async () => {
    const clock = createVirtualClock()
    const reasons: unknown[] = []
    let release = (): void => undefined
    const server = createServer({ name: 'slow', version: '1' })
    server.tool('slow', { timeoutMs: 1_000 }, async (_, { signal, log }) => {
      signal.addEventListener('abort', () => void reasons.push(signal.reason))
      await new Promise<void>((resolve) => (release = resolve))
      log('error', 'too late')
      return 'too late'
    })
    const client = await rawClient(server, { clock })

    const calling = client.request('tools/call', { name: 'slow' })
    await client.quiet()
    await clock.advance(999)
    expect(reasons).toEqual([])
    await clock.advance(1)
    expect((await calling).result).toEqual({
      content: [{ type: 'text', text: 'tools/call ran out of time' }],
      isError: true,
    })
    release()

    expect(await client.quiet()).toEqual([])
    expect(reasons).toHaveLength(1)
    expect(isMcpError(reasons[0], 'cancelled') && reasons[0].details.by).toBe('timeout')
    await client.close()
  })
})

describeServer(
  'a tool',
  ({ rawClient }) => {
    test('grows no older while it asks', async () => {
      const clock = createVirtualClock()
      const server = createServer({ name: 'asking', version: '1' })
      server.tool('ask', { timeoutMs: 1_000 }, async (_, { elicit }) => {
        await elicit({ message: 'Well?', requestedSchema: { type: 'object', properties: {} } })
        await never
      })
      const client = await rawClient(server, { clock, capabilities: { elicitation: {} } })

      const calling = client.request('tools/call', { name: 'ask' })
      const inputRequest = await client.next(({ method }) => method === 'elicitation/create')
      await clock.advance(500_000)
      expect(await client.quiet()).toEqual([])
      client.send({
        jsonrpc: '2.0',
        id: inputRequest.id,
        result: { action: 'accept', content: {} },
      })
      await client.quiet()
      await clock.advance(999)
      expect(await client.quiet()).toEqual([])
      await clock.advance(1)

      expect((await calling).result).toMatchObject({ isError: true })
      await client.close()
    })
  },
  { revisions: ['2025-11-25', '2025-06-18'] },
)

describe('once', () => {
  test('does its work once for each key of a call', async () => {
    const runs: string[] = []
    const server = createServer({ name: 'once', version: '1' })
    server.tool('it', {}, async (_, { once }) => {
      const work = (key: string): Promise<string> => once(key, () => (runs.push(key), key))
      return [await work('a'), ...(await Promise.all([work('b'), work('b'), work('a')]))]
    })
    await using client = await createTestClient(server)

    const result = await client.callTool('it')
    await client.callTool('it')

    expect(result.content).toMatchObject([
      { text: 'a' },
      { text: 'b' },
      { text: 'b' },
      { text: 'a' },
    ])
    expect(runs).toEqual(['a', 'b', 'a', 'b'])
  })

  test('does not remember a throw', async () => {
    let runs = 0
    const server = createServer({ name: 'once', version: '1' })
    server.tool('it', {}, async (_, { once }) => {
      const work = (): number => {
        if ((runs += 1) === 1) throw new Error('not yet')
        return runs
      }
      await once('a', work).catch(() => undefined)
      return once('a', work)
    })
    await using client = await createTestClient(server)

    expect(await client.callTool('it')).toMatchObject({ content: [{ text: '2' }] })
  })

  test.each([
    ['a date', () => new Date(0)],
    ['an instance of a class', () => new URL('a://b')],
    ['a map inside', () => ({ a: [new Map()] })],
    ['a number that is none', () => Number.NaN],
    ['a bigint', () => 1n],
  ])('refuses %s, which would not survive JSON', async (_, work) => {
    const reports: string[] = []
    const server = createServer({
      name: 'once',
      version: '1',
      onError: (error) => void reports.push((error as Error).message),
    })
    server.tool('it', {}, async (__, { once }) => void (await once<unknown>('key', work)))
    await using client = await createTestClient(server)

    expect(await client.callTool('it')).toMatchObject({ isError: true })
    expect(reports).toEqual([expect.stringContaining('once("key") does not survive JSON')])
  })

  test.each([undefined, null, 'a', 1.5, true, [1, { a: null }]])('remembers %j', async (value) => {
    const server = createServer({ name: 'once', version: '1' })
    const seen: unknown[] = []
    server.tool('it', {}, async (_, { once }) => {
      await once('a', () => value)
      seen.push(await once('a', () => 'another'))
    })
    await using client = await createTestClient(server)

    await client.callTool('it')

    expect(seen).toEqual([value])
  })
})

describe('a handler', () => {
  test('may take its context apart', async () => {
    const server = createServer({ name: 'apart', version: '1' })
    server.resource('a://{b}', {}, async ({ b }, { uri, log, progress, once, meta, signal }) => {
      log('info', 'hello')
      await progress({ progress: 1 })
      return `${b} ${uri} ${await once('a', () => 1)} ${typeof meta} ${signal.aborted}`
    })
    await using client = await createTestClient(server)

    expect(await client.readResource('a://x')).toMatchObject({
      contents: [{ text: 'x a://x 1 object false' }],
    })
  })

  test('that throws an RpcError answers with it', async () => {
    const server = createServer({ name: 'errors', version: '1' })
    const fail = (): never => {
      throw new RpcError('other', 'out of stock', { wireCode: 4711, data: { sku: 'a' } })
    }
    server.tool('fail', {}, fail)
    server.resource('fail://1', {}, fail)
    server.prompt('fail', {}, fail)
    await using client = await createTestClient(server)

    const error = { code: 'other', wireCode: 4711, message: 'out of stock', data: { sku: 'a' } }
    await expect(client.callTool('fail')).rejects.toMatchObject(error)
    await expect(client.readResource('fail://1')).rejects.toMatchObject(error)
    await expect(client.getPrompt('fail')).rejects.toMatchObject(error)
  })

  test('hears that its caller has gone, and nothing is sent for it', async () => {
    const reasons: unknown[] = []
    const server = createServer({ name: 'gone', version: '1' })
    server.tool('slow', {}, async (_, { signal }) => {
      await new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => (reasons.push(signal.reason), resolve())),
      )
    })
    const client = await createTestClient(server)
    const calling = client.callTool('slow').catch(() => undefined)
    await client.idle()

    await client.close()
    await calling
    await untilIdle()

    expect(reasons).toMatchObject([{ code: 'cancelled', details: { by: 'disconnect' } }])
  })
})
