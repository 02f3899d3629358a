import { RpcError } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { describeMatrix } from '../support/matrix.ts'

function greeter() {
  const server = createServer({ name: 'greeter', version: '1.0.0' })
  server.tool(
    'greet',
    { inputSchema: z.object({ name: z.string() }) },
    ({ name }) => `hello ${name}`,
  )
  server.resource('notes://1', {}, () => 'note')
  return server
}

describeMatrix('client middleware', ({ connect }) => {
  test('wraps in the order it was added, the first outermost', async () => {
    const order: string[] = []
    await using client = await connect(greeter())
    for (const name of ['outer', 'inner']) {
      client.use(async ({ operation }, next) => {
        order.push(`${name} ${operation}`)
        const result = await next()
        order.push(`${name} done`)
        return result
      })
    }

    await client.callTool('greet', { name: 'Ada' })

    expect(order).toEqual(['outer tools/call', 'inner tools/call', 'inner done', 'outer done'])
  })

  test('may change what goes out and what comes back', async () => {
    await using client = await connect(greeter())
    client.use('tools/call', async ({ params }, next) => {
      const result = await next({ params: { ...params, arguments: { name: 'Grace' } } })
      return { ...result, _meta: { 'com.example/seen': true } }
    })

    expect(await client.callTool('greet', { name: 'Ada' })).toEqual({
      content: [{ type: 'text', text: 'hello Grace' }],
      _meta: { 'com.example/seen': true },
    })
  })

  test('may add to what a call says about itself', async () => {
    const server = createServer({ name: 'meta', version: '1.0.0' })
    server.tool('say', {}, (_, { meta }) => `${String(meta['trace'])} ${String(meta['user'])}`)
    await using client = await connect(server)
    client.use('tools/call', ({ params }, next) =>
      next({ params: { ...params, _meta: { ...params._meta, trace: 'a' } } }),
    )

    const alone = await client.callTool('say')
    const both = await client.callTool('say', {}, { _meta: { user: 'ada' } })

    expect(alone.content).toEqual([{ type: 'text', text: 'a undefined' }])
    expect(both.content).toEqual([{ type: 'text', text: 'a ada' }])
  })

  test('may answer by itself, or refuse, and nothing is sent', async () => {
    const sent: unknown[] = []
    await using client = await connect(greeter(), {
      onMessage: ({ direction, message }) => {
        if (direction === 'out') sent.push(message)
      },
    })
    client.use('resources/read', async () => ({ contents: [] }))
    client.use('tools/call', () => {
      throw new RpcError('forbidden', 'not today')
    })
    sent.length = 0

    expect(await client.readResource('notes://1')).toEqual({ contents: [] })
    await expect(client.callTool('greet', {})).rejects.toMatchObject({ code: 'forbidden' })
    expect(sent).toEqual([])
  })

  test('of one operation does not see the others', async () => {
    const seen: string[] = []
    await using client = await connect(greeter())
    client.use('resources/list', async ({ operation }, next) => {
      seen.push(operation)
      return next()
    })

    await client.listTools().toArray()
    await client.listResources().toArray()

    expect(seen).toEqual(['resources/list'])
  })

  test('sees the options of the call and may call twice', async () => {
    const signal = new AbortController().signal
    let attempts = 0
    await using client = await connect(greeter())
    client.use('tools/call', async ({ options }, next) => {
      attempts += 1
      expect(options.signal).toBe(signal)
      await next()
      return next()
    })

    const { content } = await client.callTool('greet', { name: 'Ada' }, { signal })

    expect(content).toEqual([{ type: 'text', text: 'hello Ada' }])
    expect(attempts).toBe(1)
  })
})
