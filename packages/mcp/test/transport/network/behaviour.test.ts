import { type Frame, ToolError } from '@parley/mcp'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { describeNetwork } from '../../support/network.ts'

const unknownNames = { tool: 'no_tool', prompt: 'no_prompt', uri: 'note://none' }
const unicode = 'Grüße 🌍 日本語 \u2028\u2029 "\\\n\r\n\t\u0000 data: é \ufeff'

function createKitchen(): Server {
  const server = createServer({ name: 'kitchen', version: '1.2.3', instructions: 'Wash hands.' })
  server.tool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => text)
  server.tool(
    'weigh',
    { inputSchema: z.object({}), outputSchema: z.object({ grams: z.number() }) },
    () => ({ grams: 250 }),
  )
  server.tool('burn', {}, () => {
    throw new ToolError('It is black.')
  })
  server.tool('pour', { inputSchema: z.object({ bytes: z.number() }) }, ({ bytes }) =>
    'x'.repeat(bytes),
  )
  server.prompt('cook', { argumentsSchema: z.object({ dish: z.string() }) }, ({ dish }) => dish)
  server.resource('note://one', {}, () => unicode)
  return server
}

describeNetwork('a client', ({ transport, revision, hasHandshake, serve }) => {
  test('knows what was agreed, with a handshake or without', async () => {
    await using network = await serve(createKitchen())

    const frames: Frame[] = []
    const client = await network.connect({ onMessage: (frame) => frames.push(frame) })

    expect(client.negotiated).toMatchObject({ revision, transport })
    expect(client.status).toEqual({ state: 'ready' })
    expect(client.server).toMatchObject({
      info: { name: 'kitchen', version: '1.2.3' },
      instructions: 'Wash hands.',
    })
    expect(await client.ping()).toBeGreaterThanOrEqual(0)
    expect(requestsIn(frames)).toEqual(
      hasHandshake ? ['initialize', 'ping'] : ['server/discover', 'server/discover'],
    )
  })

  test('gets text, structured and error results, and is told what was wrong with its arguments', async () => {
    await using network = await serve(createKitchen())
    const client = await network.connect()

    const wrong = await client.callTool('echo', { text: 5 })

    expect(await client.callTool('echo', { text: 'hi' })).toEqual({
      content: [{ type: 'text', text: 'hi' }],
    })
    expect(await client.callTool('weigh')).toEqual({
      content: [{ type: 'text', text: '{"grams":250}' }],
      ...(revision >= '2025-06-18' && { structuredContent: { grams: 250 } }),
    })
    expect(await client.callTool('burn')).toEqual({
      content: [{ type: 'text', text: 'It is black.' }],
      isError: true,
    })
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/text/) }],
    })
  })

  test('is told what does not exist [N07-RSC-01]', async () => {
    await using network = await serve(createKitchen())
    const client = await network.connect()

    const outcomes = await Promise.allSettled([
      client.callTool(unknownNames.tool),
      client.getPrompt(unknownNames.prompt),
      client.readResource(unknownNames.uri),
      client.request('no/method'),
      client.getPrompt('cook'),
    ])

    expect(outcomes).toMatchObject([
      { reason: { code: 'invalid_params', wireCode: -32602 } },
      { reason: { code: 'invalid_params', wireCode: -32602 } },
      {
        reason: {
          code: 'resource_not_found',
          wireCode: hasHandshake ? -32002 : -32602,
          data: { uri: unknownNames.uri },
        },
      },
      { reason: { code: 'method_not_found', wireCode: -32601 } },
      { reason: { code: 'invalid_params', wireCode: -32602 } },
    ])
  })

  test('reads every page of every list', async () => {
    const server = createServer({ name: 'pages', version: '1.0.0', pageSize: 3 })
    const numbers = Array.from({ length: 10 }, (_, index) => `item_${index}`)
    for (const name of numbers) {
      server.tool(name, {}, () => '')
      server.prompt(name, {}, () => name)
      server.resource(`note://${name}`, { name }, () => name)
      server.resource(`note://${name}/{part}`, { name }, ({ part }) => part)
    }
    await using network = await serve(server)
    const client = await network.connect()

    const lists = [
      await client.listTools().toArray(),
      await client.listPrompts().toArray(),
      await client.listResources().toArray(),
      await client.listResourceTemplates().toArray(),
    ]
    const first = await client.listTools().page()

    for (const list of lists) expect(list.map(({ name }) => name)).toEqual(numbers)
    expect(first.items).toHaveLength(3)
  })

  test('gets back any text as it sent it, as a result, a prompt and a resource', async () => {
    await using network = await serve(createKitchen())
    const client = await network.connect()

    const echoed = await client.callTool('echo', { text: unicode })
    const { messages } = await client.getPrompt('cook', { dish: unicode })
    const { contents } = await client.readResource('note://one')

    expect(echoed.content).toEqual([{ type: 'text', text: unicode }])
    expect(messages[0]?.content).toEqual({ type: 'text', text: unicode })
    expect(contents[0]).toMatchObject({ text: unicode })
  })

  test('sends and receives 2 MiB, and goes on', async () => {
    await using network = await serve(createKitchen())
    const client = await network.connect()
    const bytes = 2 * 1024 * 1024
    const large = 'é'.repeat(bytes / 2)

    const poured = await client.callTool('pour', { bytes })
    const echoed = await client.callTool('echo', { text: large })
    const after = await client.callTool('echo', { text: 'small' })

    expect(poured.content).toEqual([{ type: 'text', text: 'x'.repeat(bytes) }])
    expect(echoed.content[0]).toEqual({ type: 'text', text: large })
    expect(after.content[0]).toMatchObject({ text: 'small' })
  })
})

/** Methods of the requests the client sent, in order. */
function requestsIn(frames: readonly Frame[]): unknown[] {
  return frames
    .filter(({ direction }) => direction === 'out')
    .map(({ message }) => message as { id?: unknown; method?: unknown }) // no batches here
    .filter(({ id }) => id !== undefined)
    .map(({ method }) => method)
}
