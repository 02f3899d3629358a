import { ToolError } from '@parley/mcp'
import { createServer } from '@parley/mcp/server'
import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

test('a ToolError of middleware is for the model, like one of the tool', async () => {
  const server = createServer({ name: 'guarded', version: '1.0.0' })
  server.tool('delete', {}, () => 'deleted')
  server.use('tools/call', async (call, next) => {
    if (call.params.name === 'delete') throw new ToolError('Not on a Friday.')
    return next()
  })
  await using client = await createTestClient(server)

  const result = await client.callTool('delete')

  expect(result).toEqual({ content: [{ type: 'text', text: 'Not on a Friday.' }], isError: true })
})

test('elsewhere it is a fault, and masked', async () => {
  const server = createServer({ name: 'guarded', version: '1.0.0', onError: () => undefined })
  server.prompt('ask', {}, () => 'hello')
  server.use('prompts/get', async () => {
    throw new ToolError('a secret')
  })
  await using client = await createTestClient(server)

  const got = client.getPrompt('ask')

  await expect(got).rejects.toMatchObject({ code: 'internal_error' })
  await expect(got).rejects.not.toMatchObject({
    message: expect.stringContaining('secret') as string,
  })
})

test.each([new Error('the database is down'), new ToolError('No such city.')])(
  'middleware sees what the handler of a tool threw: %s',
  async (thrown) => {
    const server = createServer({ name: 'watched', version: '1.0.0', onError: () => undefined })
    server.tool('fail', {}, () => {
      throw thrown
    })
    server.tool('work', {}, async () => 'done')
    const seen: unknown[] = []
    server.use('tools/call', async ({ params }, next) => {
      const outcome = await next()
      if (outcome.resultType === 'complete') seen.push([params.name, outcome.error])
      return outcome
    })
    await using client = await createTestClient(server)

    const failed = await client.callTool('fail')
    await client.callTool('work')

    expect(failed.isError).toBe(true)
    expect(JSON.stringify(failed)).not.toContain('database')
    expect(seen).toEqual([
      ['fail', thrown],
      ['work', undefined],
    ])
    expect((seen as unknown[][])[0]?.[1]).toBe(thrown)
  },
)

test('middleware sees what the handlers of prompts and resources threw', async () => {
  const server = createServer({ name: 'watched', version: '1.0.0', onError: () => undefined })
  const thrown = new Error('the database is down')
  const fail = (): never => {
    throw thrown
  }
  server.prompt('ask', {}, fail)
  server.resource('notes://all', { name: 'notes' }, fail)
  const seen: unknown[] = []
  server.use(async ({ operation }, next) => {
    try {
      return await next()
    } catch (error) {
      seen.push([operation, error === thrown])
      throw error
    }
  })
  await using client = await createTestClient(server)

  await expect(client.getPrompt('ask')).rejects.toMatchObject({ code: 'internal_error' })
  await expect(client.readResource('notes://all')).rejects.toMatchObject({ code: 'internal_error' })

  expect(seen).toEqual([
    ['prompts/get', true],
    ['resources/read', true],
  ])
})

test('onError is told which tool, prompt or resource failed, and for whom', async () => {
  const reports: unknown[] = []
  const server = createServer({
    name: 'watched',
    version: '1.0.0',
    onError: (_, { operation, name, auth }) => void reports.push([operation, name, auth?.subject]),
  })
  const fail = (): never => {
    throw new Error('the database is down')
  }
  server.tool('work', {}, fail)
  server.prompt('ask', {}, fail)
  server.resource('notes://all', { name: 'notes' }, fail)
  const auth = {
    issuer: 'https://login.example.com',
    subject: 'ada',
    clientId: 'app',
    scopes: new Set<string>(),
    audience: [],
    expiresAt: Infinity,
    claims: {},
  }
  await using client = await createTestClient(server, { caller: auth })

  await client.callTool('work')
  await client.getPrompt('ask').catch(() => undefined)
  await client.readResource('notes://all').catch(() => undefined)

  expect(reports).toEqual([
    ['tools/call', 'work', 'ada'],
    ['prompts/get', 'ask', 'ada'],
    ['resources/read', 'notes://all', 'ada'],
  ])
})
