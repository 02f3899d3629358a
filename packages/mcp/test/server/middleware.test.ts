import { type Operation, RpcError } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { describeServer } from '../support/matrix.ts'

function fullServer(): Server {
  const server = createServer({ name: 'wrapped', version: '1', onError: () => undefined })
  server.tool('echo', { inputSchema: z.object({ say: z.string() }) }, ({ say }) => say)
  server.tool('plain', {}, () => 'plain')
  server.resource('a://{b}', { complete: { b: () => ['c'] } }, ({ b }) => b)
  server.prompt('ask', {}, () => 'ask')
  return server
}

describeServer('middleware', ({ connect }) => {
  test('wraps the eight operations', async () => {
    const seen: Operation[] = []
    const server = fullServer().use((call, next) => {
      seen.push(call.operation)
      return next()
    })
    await using client = await connect(server)

    await client.listTools().toArray()
    await client.callTool('echo', { say: 'hello' })
    await client.listResources().toArray()
    await client.listResourceTemplates().toArray()
    await client.readResource('a://b')
    await client.listPrompts().toArray()
    await client.getPrompt('ask')
    await client.complete({ type: 'ref/resource', uri: 'a://{b}' }, { name: 'b', value: '' })
    await client.ping()
    await client.setLoggingLevel('info')

    expect(seen.filter((name, index) => seen.indexOf(name) === index)).toEqual([
      'tools/list',
      'tools/call',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'prompts/list',
      'prompts/get',
      'completion/complete',
    ])
  })
})

describe('middleware', () => {
  test('runs in the order of use, the first outermost, each for its own operation', async () => {
    const seen: string[] = []
    const server = fullServer()
    server.use(async (_, next) => {
      seen.push('outer in')
      const outcome = await next()
      seen.push('outer out')
      return outcome
    })
    server.use('tools/call', async (_, next) => {
      seen.push('calls in')
      const outcome = await next()
      seen.push('calls out')
      return outcome
    })
    server.use('prompts/get', async (_, next) => {
      seen.push('never')
      return next()
    })
    await using client = await createTestClient(server)

    await client.callTool('plain')

    expect(seen).toEqual(['outer in', 'calls in', 'calls out', 'outer out'])
  })

  test('changes params, which are checked after it', async () => {
    const server = fullServer()
    server.use('tools/call', (call, next) =>
      next({ params: { ...call.params, arguments: { say: call.params.arguments['shout'] ?? 5 } } }),
    )
    await using client = await createTestClient(server)

    expect(await client.callTool('echo', { shout: 'HELLO' })).toMatchObject({
      content: [{ text: 'HELLO' }],
    })
    expect(await client.callTool('echo', {})).toMatchObject({ isError: true })
  })

  test('cannot make params that are no params', async () => {
    const server = fullServer()
    server.use('tools/call', (_, next) => next({ params: { name: 7 } as never }))
    await using client = await createTestClient(server)

    await expect(client.callTool('plain')).rejects.toMatchObject({ code: 'invalid_params' })
  })

  test('finds arguments that were left out on the wire', async () => {
    const seen: unknown[] = []
    const server = fullServer()
    server.use('tools/call', ({ params }, next) => (seen.push(params.arguments), next()))
    server.use('prompts/get', ({ params }, next) => (seen.push(params.arguments), next()))
    await using client = await createTestClient(server)

    await client.request('tools/call', { name: 'plain' })
    await client.request('prompts/get', { name: 'ask' })

    expect(seen).toEqual([{}, {}])
  })

  test('changes the result', async () => {
    const server = fullServer()
    server.use('tools/list', async (_, next) => {
      const { result } = await next()
      const tools = result.tools.map((tool) => ({ ...tool, title: tool.name.toUpperCase() }))
      return { resultType: 'complete', result: { ...result, tools } }
    })
    await using client = await createTestClient(server)

    const tools = await client.listTools().toArray()

    expect(tools.map(({ title }) => title)).toEqual(['ECHO', 'PLAIN'])
  })

  test('answers by itself, or refuses', async () => {
    const server = fullServer()
    server.use('tools/call', async ({ params }, next) => {
      if (params.name === 'plain')
        return { resultType: 'complete', result: { content: [{ type: 'text', text: 'cached' }] } }
      if (params.name === 'secret') throw new RpcError('unauthorized', 'not you')
      if (params.name === 'broken') throw new Error('password=hunter2')
      return next()
    })
    await using client = await createTestClient(server)

    expect(await client.callTool('plain')).toMatchObject({ content: [{ text: 'cached' }] })
    await expect(client.callTool('secret')).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'not you',
    })
    const broken: unknown = await client.callTool('broken').catch((error: unknown) => error)
    expect(broken).toMatchObject({ code: 'internal_error' })
    expect(String(broken)).not.toContain('hunter2')
  })

  test('runs the rest twice if it asks twice', async () => {
    let runs = 0
    const server = fullServer()
    server.tool('flaky', {}, () => `${(runs += 1)}`)
    server.use('tools/call', async (_, next) => {
      await next()
      return next()
    })
    await using client = await createTestClient(server)

    expect(await client.callTool('flaky')).toMatchObject({ content: [{ text: '2' }] })
  })

  test('wraps lists that were prepared before it came', async () => {
    const server = fullServer()
    await using client = await createTestClient(server)
    await client.listTools().toArray()

    server.use('tools/list', async () => ({ resultType: 'complete', result: { tools: [] } }))

    expect(await client.listTools().toArray()).toEqual([])
  })

  test('sees the log of a request, and its caller', async () => {
    const logged: unknown[] = []
    const server = fullServer().use((call, next) => {
      call.context.log('info', `${call.context.client.info?.name} ${call.operation}`)
      return next()
    })
    await using client = await createTestClient(server, {
      revision: '2025-11-25',
      info: { name: 'guest', version: '1' },
      onLog: ({ data }) => void logged.push(data),
    })

    await client.callTool('plain')

    expect(logged).toEqual(['guest tools/call'])
  })
})
