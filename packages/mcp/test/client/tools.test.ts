import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { describeMatrix } from '../support/matrix.ts'

const forecast = {
  name: 'forecast',
  inputSchema: { type: 'object' },
  outputSchema: {
    type: 'object',
    properties: { celsius: { type: 'number' } },
    required: ['celsius'],
  },
}
const right = { content: [], structuredContent: { celsius: 21 } }
const wrong = { content: [{ type: 'text', text: 'hot' }], structuredContent: { celsius: 'hot' } }

describeMatrix('the result of a tool', ({ rawServer }) => {
  test('that keeps its promise is given as it came [TOOL-17, TOOL-26]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const calling = client.callTool('forecast', { city: 'Oslo' })
    const { params } = await server.answer('tools/call', right)
    await server.answer('tools/list', { tools: [forecast] })

    expect(await calling).toEqual(right)
    expect(params).toEqual({ name: 'forecast', arguments: { city: 'Oslo' } })
    await client.close()
  })

  test('that breaks its promise is reported and still given [TOOL-17, TOOL-26]', async () => {
    const reports: unknown[] = []
    const server = rawServer({ onError: (error) => reports.push(error) })
    const client = await server.accept()

    const calling = client.callTool('forecast')
    await server.answer('tools/call', wrong)
    await server.answer('tools/list', { tools: [forecast] })

    expect(await calling).toEqual({
      ...wrong,
      issues: [expect.objectContaining({ path: ['celsius'] })],
    })
    expect(reports).toEqual([expect.objectContaining({ code: 'invalid_output' })])
    await client.close()
  })

  test('that breaks its promise rejects if that is wanted, with the result in it [TOOL-17]', async () => {
    const server = rawServer({ validation: { output: 'reject' } })
    const client = await server.accept()

    const calling = client.callTool('forecast')
    calling.catch(() => undefined)
    await server.answer('tools/call', wrong)
    await server.answer('tools/list', { tools: [forecast] })

    await expect(calling).rejects.toMatchObject({
      code: 'invalid_output',
      details: { result: wrong, issues: [{ path: ['celsius'] }] },
      hint: expect.stringContaining('author'),
    })
    await client.close()
  })

  test('is not looked at if that is wanted', async () => {
    const server = rawServer({ validation: { output: 'off' } })
    const client = await server.accept()

    const calling = client.callTool('forecast')
    await server.answer('tools/call', wrong)

    expect(await calling).toEqual(wrong)
    expect(await server.quiet()).not.toContainEqual(
      expect.objectContaining({ method: 'tools/list' }),
    )
    await client.close()
  })

  test('promises nothing when it is an error [TOOL-17]', async () => {
    const server = rawServer({ validation: { output: 'reject' } })
    const client = await server.accept()

    const calling = client.callTool('forecast')
    await server.answer('tools/call', { ...wrong, isError: true })

    expect(await calling).toEqual({ ...wrong, isError: true })
    await client.close()
  })

  test('without the structure a known tool promised is reported [TOOL-17]', async () => {
    const server = rawServer()
    const client = await server.accept()
    const listing = client.listTools().toArray()
    await server.answer('tools/list', { tools: [forecast] })
    await listing

    const calling = client.callTool('forecast')
    await server.answer('tools/call', { content: [] })

    expect(await calling).toEqual({
      content: [],
      issues: [{ message: 'structuredContent is missing' }],
    })
    await client.close()
  })

  test('needs the list once, for a tool that was not seen, and never again', async () => {
    const server = rawServer()
    const client = await server.accept()

    const first = client.callTool('unlisted')
    await server.answer('tools/call', right)
    await server.answer('tools/list', { tools: [] })
    await first
    const second = client.callTool('unlisted')
    await server.answer('tools/call', right)

    expect(await second).toEqual(right)
    expect(server.received.filter(({ method }) => method === 'tools/list')).toHaveLength(1)
    await client.close()
  })

  test('is checked against a new list after a change', async () => {
    const server = rawServer()
    const client = await server.accept({ capabilities: { tools: { listChanged: true } } })
    const first = client.callTool('forecast')
    await server.answer('tools/call', right)
    await server.answer('tools/list', { tools: [forecast] })
    await first

    server.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    const second = client.callTool('forecast')
    await server.answer('tools/call', wrong)
    const { outputSchema: _, ...changed } = forecast
    await server.answer('tools/list', { tools: [changed] })

    expect(await second).toEqual(wrong)
    await client.close()
  })

  test('is not lost because the list cannot be had', async () => {
    const reports: unknown[] = []
    const server = rawServer({
      validation: { output: 'reject' },
      onError: (error) => reports.push(error),
    })
    const client = await server.accept()

    const calling = client.callTool('forecast')
    await server.answer('tools/call', right)
    await server.reject('tools/list', { code: -32603, message: 'no list today' })

    expect(await calling).toEqual(right)
    expect(reports).toEqual([expect.objectContaining({ message: 'no list today' })])
    await client.close()
  })

  test('is not lost because its schema cannot be used', async () => {
    const server = rawServer()
    const client = await server.accept()

    const calling = client.callTool('forecast')
    await server.answer('tools/call', right)
    const outputSchema = { type: 'object', $ref: 'https://example.com/schema.json' }
    await server.answer('tools/list', { tools: [{ ...forecast, outputSchema }] })

    expect(await calling).toMatchObject({
      ...right,
      issues: [{ message: expect.stringContaining('the schema itself cannot be used') }],
    })
    await client.close()
  })

  test('is checked with the draft its schema names, else with 2020-12 [DEC-19]', async () => {
    const server = rawServer()
    const client = await server.accept()
    // A tuple: `items` in draft-07, `prefixItems` since 2020-12.
    const pair = [{ type: 'string' }, { type: 'number' }]
    const old = { $schema: 'http://json-schema.org/draft-07/schema#', items: pair }
    const tools = Object.entries({ old, fresh: { prefixItems: pair } }).map(([name, schema]) => ({
      ...forecast,
      name,
      outputSchema: {
        ...pickDialect(schema),
        type: 'object',
        properties: { pair: withoutDialect(schema) },
      },
    }))

    const issues: unknown[] = []
    for (const name of ['old', 'fresh']) {
      const calling = client.callTool(name)
      await server.answer('tools/call', { content: [], structuredContent: { pair: [1, 1] } })
      if (name === 'old') await server.answer('tools/list', { tools })
      issues.push((await calling).issues?.map(({ path }) => path))
    }

    expect(issues).toEqual([[['pair', 0]], [['pair', 0]]])
    await client.close()
  })

  test('is waited for only so long, and the server is told [TOOL-27]', async () => {
    const clock = createVirtualClock()
    const server = rawServer({ clock })
    const client = await server.accept()

    const calling = client.callTool('slow', {}, { timeouts: { idleMs: 2_000 } })
    const outcome = calling.catch((error: unknown) => error)
    const { id } = await server.expect('tools/call')
    await clock.advance(2_000)

    expect(await outcome).toMatchObject({
      code: 'timeout',
      details: { limit: 'idle', ms: 2_000 },
      hint: expect.stringContaining('timeouts.idleMs'),
    })
    const { params } = await server.expect('notifications/cancelled')
    expect(params).toMatchObject({ requestId: id })
    await client.close()
  })

  test('may be an error of either kind for arguments that do not fit [DEC-11]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const asResult = client.callTool('forecast')
    await server.answer('tools/call', { content: [], isError: true })
    const asError = client.callTool('forecast')
    asError.catch(() => undefined)
    await server.reject('tools/call', { code: -32602, message: 'bad arguments' })

    expect(await asResult).toEqual({ content: [], isError: true })
    await expect(asError).rejects.toMatchObject({ name: 'RpcError', code: 'invalid_params' })
    await client.close()
  })

  test('has annotations on its blocks, wherever a server puts them [DEC-08]', async () => {
    const server = rawServer()
    const client = await server.accept()
    const resource = { uri: 'notes://1', text: 'note' }
    const annotations = { priority: 1 }

    const calling = client.callTool('read')
    await server.answer('tools/call', {
      content: [{ type: 'resource', resource: { ...resource, annotations } }],
    })

    expect((await calling).content).toEqual([{ type: 'resource', resource, annotations }])
    await client.close()
  })
})

function pickDialect(schema: object): object {
  return '$schema' in schema ? { $schema: schema.$schema } : {}
}

function withoutDialect(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'))
}
