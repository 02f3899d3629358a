import { embed, resourceLink, ToolError } from '@parley/mcp'
import { createServer, toolResult } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { describeServer } from '../support/matrix.ts'

describeServer('tools', ({ connect, rawClient, rawServer, revision }) => {
  const isCurrent = revision >= '2025-06-18'

  test('are declared with listChanged only if there are any [TOOL-01]', async () => {
    const empty = createServer({ name: 'empty', version: '1' })
    const full = createServer({ name: 'full', version: '1' })
    full.tool('hello', {}, () => 'hello')

    const [without, having] = [await rawClient(empty), await rawClient(full)]

    expect(without.serverInfo.result?.['capabilities']).not.toHaveProperty('tools')
    expect((await without.request('tools/list')).error?.code).toBe(-32601)
    expect(having.serverInfo.result?.['capabilities']).toMatchObject({
      tools: { listChanged: true },
    })
    await without.close()
    await having.close()
  })

  test('that take nothing take no harm from what they are given [N11-JSCH-07]', async () => {
    const server = createServer({ name: 'lister', version: '1' })
    server.tool('bare', {}, (args) => JSON.stringify(args))
    const client = await rawClient(server)

    const { result } = await client.request('tools/call', { name: 'bare', arguments: { a: 1 } })

    expect(result).toEqual({ content: [{ type: 'text', text: '{}' }] })
    await client.close()
  })

  test('are listed with their schemas as JSON Schema objects [TOOL-06, TOOL-07, N11-JSCH-07]', async () => {
    const server = createServer({ name: 'lister', version: '1' })
    server.tool(
      'forecast',
      {
        title: 'Forecast',
        description: 'The weather to come',
        inputSchema: z.object({ city: z.string(), days: z.number().default(1) }),
        outputSchema: z.object({ celsius: z.number() }),
        annotations: { title: 'Weather', readOnlyHint: true, openWorldHint: true },
      },
      () => ({ celsius: 20 }),
    )
    server.tool('bare', {}, () => 'bare')
    const client = await rawClient(server)

    const { result } = await client.request('tools/list')

    expect(result).toEqual({
      tools: [
        {
          name: 'forecast',
          ...(isCurrent && { title: 'Forecast' }),
          description: 'The weather to come',
          inputSchema: {
            type: 'object',
            properties: { city: { type: 'string' }, days: { type: 'number', default: 1 } },
            required: ['city'],
          },
          ...(isCurrent && {
            outputSchema: {
              type: 'object',
              properties: { celsius: { type: 'number' } },
              required: ['celsius'],
              additionalProperties: false,
            },
          }),
          ...(revision !== '2024-11-05' && {
            annotations: { title: 'Weather', readOnlyHint: true, openWorldHint: true },
          }),
        },
        {
          name: 'bare',
          inputSchema: { type: 'object', properties: {}, additionalProperties: false },
        },
      ],
    })
    await client.close()
  })

  test('are called by name with an object of arguments [TOOL-08]', async () => {
    const server = rawServer()
    const client = await server.accept()

    const calling = client.callTool('add', { a: 1, b: 2 })
    const request = await server.answer('tools/call', { content: [] })

    expect(request.params).toEqual({ name: 'add', arguments: { a: 1, b: 2 } })
    expect(await calling).toEqual({ content: [] })
    await client.close()
  })

  test('answer with an array of content, and say nothing of an error when there is none [TOOL-09]', async () => {
    const server = createServer({ name: 'answers', version: '1' })
    server.tool('nothing', {}, () => undefined)
    server.tool('error', {}, () => toolResult({ content: ['no'], isError: true }))
    const client = await rawClient(server)

    const [nothing, error] = [
      await client.request('tools/call', { name: 'nothing' }),
      await client.request('tools/call', { name: 'error' }),
    ]

    expect(nothing.result).toEqual({ content: [] })
    expect(error.result).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true })
    await client.close()
  })

  test('say structured values also as JSON text that parses to the same [TOOL-15]', async () => {
    const value = { celsius: 21.5, places: ['Ö', 'é'] }
    const server = createServer({ name: 'structured', version: '1' })
    server.tool(
      'measure',
      { outputSchema: z.object({ celsius: z.number(), places: z.array(z.string()) }) },
      () => value,
    )
    const client = await rawClient(server)

    const { result } = await client.request('tools/call', { name: 'measure' })
    const content = result?.['content'] as readonly { type: string; text: string }[]

    expect(content).toMatchObject([{ type: 'text' }])
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(value)
    expect(result?.['structuredContent']).toEqual(isCurrent ? value : undefined)
    await client.close()
  })

  test('never send what their output schema refuses [TOOL-16, TOOL-23]', async () => {
    const reports: unknown[] = []
    const server = createServer({ name: 'liar', version: '1' })
    const outputSchema = z.object({ celsius: z.number() })
    server.tool('lie', { outputSchema }, () => ({ celsius: 'secret-of-the-handler' }) as never)
    server.tool('extra', { outputSchema }, () => ({ celsius: 1, password: 'hunter2' }))
    const client = await rawClient(server, { onError: (error) => void reports.push(error) })

    const lie = await client.request('tools/call', { name: 'lie' })
    const extra = await client.request('tools/call', { name: 'extra' })

    expect(lie.result).toMatchObject({ isError: true })
    expect(JSON.stringify(lie)).not.toContain('secret-of-the-handler')
    expect(lie.result).not.toHaveProperty('structuredContent')
    expect(reports).toMatchObject([{ code: 'invalid_output' }])
    expect(JSON.stringify(extra)).not.toContain('hunter2')
    await client.close()
  })

  test('exempt error results from the output schema [TOOL-16]', async () => {
    const server = createServer({ name: 'failing', version: '1' })
    server.tool('fail', { outputSchema: z.object({ celsius: z.number() }) }, () => {
      throw new ToolError('The thermometer is broken.')
    })
    await using client = await connect(server)

    expect(await client.callTool('fail')).toEqual({
      content: [{ type: 'text', text: 'The thermometer is broken.' }],
      isError: true,
    })
  })

  test('that are unknown, or called wrongly, are protocol errors [TOOL-18, N11-TOOL-03]', async () => {
    const server = createServer({ name: 'strict', version: '1' })
    server.tool('known', {}, () => 'known')
    const client = await rawClient(server)

    const unknown = await client.request('tools/call', { name: 'unknwon' })
    const nameless = await client.request('tools/call', { arguments: {} })
    const listed = await client.request('tools/call', { name: 'known', arguments: [1] })

    expect(unknown.error).toEqual({ code: -32602, message: 'unknown tool: unknwon' })
    expect(nameless.error?.code).toBe(-32602)
    expect(listed.error?.code).toBe(-32602)
    await client.close()
  })

  test('that throw answer with a result the model can read [TOOL-19]', async () => {
    const server = createServer({ name: 'failing', version: '1', onError: () => undefined })
    server.tool('known', {}, () => {
      throw new ToolError('Nothing was found. Try another word.')
    })
    server.tool('unknown', {}, () => {
      throw new Error('password=hunter2')
    })
    await using client = await connect(server)

    const [known, unknown] = [await client.callTool('known'), await client.callTool('unknown')]

    expect(known).toEqual({
      content: [{ type: 'text', text: 'Nothing was found. Try another word.' }],
      isError: true,
    })
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^internal error \([0-9a-f-]{36}\)$/) as string }],
    })
  })

  test('never see arguments that do not fit [TOOL-20, N11-TOOL-03]', async () => {
    const seen: unknown[] = []
    const server = createServer({ name: 'strict', version: '1' })
    const inputSchema = z.object({ city: z.string(), days: z.number().int().max(7) })
    server.tool('forecast', { inputSchema }, (args) => void seen.push(args))
    await using client = await connect(server)

    const missing = await client.callTool('forecast', { days: 3 })
    const wrong = await client.callTool('forecast', { city: 'Oslo', days: 8 })

    expect(missing.isError).toBe(true)
    expect(missing.content).toMatchObject([
      { text: expect.stringContaining('Invalid arguments for tool forecast:\ncity: ') as string },
    ])
    expect(wrong.content).toMatchObject([{ text: expect.stringContaining('days: ') as string }])
    expect(seen).toEqual([])
  })

  test('refuse arguments with the protocol error where the server says so [TOOL-20]', async () => {
    const server = createServer({
      name: 'strict',
      version: '1',
      invalidArguments: 'invalid_params',
    })
    server.tool('forecast', { inputSchema: z.object({ city: z.string() }) }, () => 'rain')
    const client = await rawClient(server)

    const { error } = await client.request('tools/call', { name: 'forecast', arguments: {} })

    expect(error).toMatchObject({ code: -32602, data: { issues: [{ path: ['city'] }] } })
    await client.close()
  })

  test('link to resources that can be read although no list has them [TOOL-12]', async () => {
    const server = createServer({ name: 'linker', version: '1' })
    server.resource('log://{day}', {}, ({ day }) => `log of ${day}`)
    server.tool('latest', {}, () => resourceLink({ uri: 'log://monday', name: 'monday' }))
    await using client = await connect(server)

    const { content } = await client.callTool('latest')

    expect(content).toEqual([
      isCurrent
        ? { type: 'resource_link', uri: 'log://monday', name: 'monday' }
        : { type: 'text', text: 'monday: log://monday' },
    ])
    expect(await client.listResources().toArray()).toEqual([])
    expect((await client.readResource('log://monday')).contents).toMatchObject([
      { text: 'log of monday' },
    ])
  })

  test('embed resources, from a server that declares resources too [TOOL-13, TOOL-14]', async () => {
    const server = createServer({ name: 'embedder', version: '1', declares: ['resources'] })
    server.tool('report', {}, () => embed('report://1', '# One', { mimeType: 'text/markdown' }))
    const client = await rawClient(server)

    const { result } = await client.request('tools/call', { name: 'report' })

    expect(client.serverInfo.result?.['capabilities']).toHaveProperty('resources')
    expect(result?.['content']).toEqual([
      {
        type: 'resource',
        resource: { uri: 'report://1', mimeType: 'text/markdown', text: '# One' },
      },
    ])
    await client.close()
  })
})
