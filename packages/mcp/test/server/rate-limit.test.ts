import { isRpcError } from '@parley/mcp'
import { createServer, rateLimit } from '@parley/mcp/server'
import { createTestClient, createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { describeServer } from '../support/matrix.ts'
import { describeStandalone } from '../support/modern-client.ts'

describeServer('a rate limit', ({ rawClient }) => {
  test('refuses the excess tool call before the tool runs, and lets it through later [TOOL-22]', async () => {
    const clock = createVirtualClock()
    let runs = 0
    const server = createServer({ name: 'limited', version: '1' })
    server.use('tools/call', rateLimit({ burst: 2, perSecond: 4 }))
    server.tool('count', {}, () => (runs += 1))
    const client = await rawClient(server, { clock })
    const call = () => client.request('tools/call', { name: 'count' })

    const [, second, third] = [await call(), await call(), await call()]

    expect(second?.result).toEqual({ content: [{ type: 'text', text: '2' }] })
    expect(third?.error).toEqual({
      code: 503,
      message: 'tools/call: more than 4 a second',
      data: { reason: 'overloaded', retryAfterMs: 250 },
    })
    expect(runs).toBe(2)

    await clock.advance(250)
    expect((await call()).result).toBeDefined()
    await client.close()
  })

  test('refuses the excess completion [COMP-11, COMP-17]', async () => {
    const clock = createVirtualClock()
    const server = createServer({ name: 'limited', version: '1' })
    server.use('completion/complete', rateLimit({ burst: 1, perSecond: 1 }))
    server.resource(
      'city://{name}',
      { complete: { name: (value) => [`${value}slo`] } },
      ({ name }) => name,
    )
    const client = await rawClient(server, { clock })
    const complete = () =>
      client.request('completion/complete', {
        ref: { type: 'ref/resource', uri: 'city://{name}' },
        argument: { name: 'name', value: 'O' },
      })

    const [first, second] = [await complete(), await complete()]

    expect(first.result).toEqual({ completion: { values: ['Oslo'] } })
    expect(second.error).toMatchObject({ code: 503, data: { reason: 'overloaded' } })
    await client.close()
  })
})

describeStandalone('a rate limit without sessions', ({ open }) => {
  test('counts what one caller asks together, though each request stands for itself [TOOL-22]', async () => {
    const server = createServer({ name: 'limited', version: '1' })
    server.use('tools/call', rateLimit({ burst: 2, perSecond: 1 }))
    server.tool('count', {}, () => 'counted')
    const client = await open(server, { clock: createVirtualClock() })
    const call = () => client.request('tools/call', { name: 'count' })

    const [, second, third] = [await call(), await call(), await call()]

    expect(second?.result).toBeDefined()
    expect(third?.error).toMatchObject({ code: 503, data: { reason: 'overloaded' } })
  })
})

describe('a rate limit', () => {
  test('counts each caller alone', async () => {
    const clock = createVirtualClock()
    const server = createServer({ name: 'limited', version: '1' }).use(
      rateLimit({ burst: 1, perSecond: 1 }),
    )
    server.tool('hello', {}, () => 'hello')
    await using greedy = await createTestClient(server, { clock })
    await using modest = await createTestClient(server, { clock })

    await greedy.callTool('hello')
    const rejected = await greedy.callTool('hello').catch((error: unknown) => error)

    expect(isRpcError(rejected, 'overloaded') && rejected.data?.retryAfterMs).toBe(1000)
    expect(await modest.callTool('hello')).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test.each([
    { burst: 0, perSecond: 1 },
    { burst: 1, perSecond: 0 },
    { burst: Number.NaN, perSecond: 1 },
  ])('refuses a rate at which nothing would ever pass: %o', (options) => {
    expect(() => rateLimit(options)).toThrow(RangeError)
  })
})
