import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { RpcError } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { createProxy } from '@parley/mcp/proxy'
import { createServer, type Server } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { record } from './recorder.ts'

type Recorder = ReturnType<typeof record>

function createNotes({ observer, tracer }: Recorder): Server {
  const onError = () => undefined // one of them fails
  const server = createServer({ name: 'notes', version: '1.0.0', observer, onError })
  server.tool('save', { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => {
    const query = tracer.startSpan('INSERT notes', {}, context.active())
    await Promise.resolve()
    query.end()
    return `saved ${text}`
  })
  server.tool('break', {}, () => {
    throw new Error('the disk is full')
  })
  server.tool('refuse', {}, () => {
    throw new RpcError('invalid_params', 'not today')
  })
  return server
}

describe.each(['legacy', 'modern'] as const)('a %s call', (protocolVersion) => {
  test('is one trace from the client into what the handler does', async () => {
    const recorder = record()
    const { observer, spans } = recorder
    await using client = await connect(createNotes(recorder), { protocolVersion, observer })
    await client.callTool('save', { text: 'milk' })

    const find = (name: string, kind: SpanKind) =>
      spans().find((span) => span.name === name && span.kind === kind)
    const sent = find('tools/call save', SpanKind.CLIENT)
    const arrived = find('tools/call save', SpanKind.SERVER)
    const query = find('INSERT notes', SpanKind.INTERNAL)
    expect(arrived?.parentSpanContext?.spanId).toBe(sent?.spanContext().spanId)
    expect(query?.parentSpanContext?.spanId).toBe(arrived?.spanContext().spanId)
    expect(new Set([sent, arrived, query].map((span) => span?.spanContext().traceId)).size).toBe(1)
    expect(arrived?.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'save',
      'gen_ai.operation.name': 'execute_tool',
      'mcp.protocol.version': protocolVersion === 'legacy' ? '2025-11-25' : '2026-07-28',
    })
    expect(JSON.stringify(arrived?.attributes)).not.toContain('milk')
  })

  test('that fails says so, with its cause and no result', async () => {
    const recorder = record()
    const { observer, spans } = recorder
    await using client = await connect(createNotes(recorder), { protocolVersion, observer })
    await client.callTool('break')
    await client.callTool('refuse').catch(() => undefined)

    const failed = spans().filter(({ status }) => status.code === SpanStatusCode.ERROR)
    expect(failed.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['tools/call break', 'tool_error'],
      ['tools/call break', 'tool_error'],
      ['tools/call refuse', 'invalid_params'],
      ['tools/call refuse', 'invalid_params'],
    ])
  })

  test('that is cancelled ends on both sides', async () => {
    const recorder = record()
    const { observer, spans } = recorder
    const server = createServer({ name: 'slow', version: '1.0.0', observer })
    server.tool('hang', {}, () => new Promise<string>(() => undefined))
    await using client = await connect(server, { protocolVersion, observer })
    const stop = new AbortController()
    const calling = client.callTool('hang', {}, { signal: stop.signal }).catch(() => undefined)
    await Promise.resolve()
    stop.abort()
    await calling

    await expect
      .poll(() =>
        spans()
          .filter(({ name }) => name === 'tools/call hang')
          .map(({ attributes }) => attributes['error.type']),
      )
      .toEqual(['cancelled', 'cancelled'])
  })
})

test('a proxy is a part of the trace', async () => {
  const recorder = record()
  const { observer, spans } = recorder
  await using proxy = createProxy(createNotes(recorder), { observer })
  await using client = await connect(proxy, { observer })
  await client.callTool('save', { text: 'milk' })

  const parents = new Map(spans().map((span) => [span.spanContext().spanId, span]))
  let depth = 0
  let at = spans().find(({ name }) => name === 'INSERT notes')
  for (; at?.parentSpanContext; depth += 1) at = parents.get(at.parentSpanContext.spanId)
  expect(spans().filter(({ name }) => name === 'tools/call save')).toHaveLength(4)
  expect(depth).toBe(4) // from the handler's own span by way of the server and both sides of the proxy to the client
})

test('arguments and results are recorded when asked for, without what is named like a secret', async () => {
  const recorder = record({ values: true })
  const { observer, spans } = recorder
  const server = createServer({ name: 'notes', version: '1.0.0', observer })
  server.tool(
    'login',
    { inputSchema: z.object({ user: z.string(), password: z.string() }) },
    () => 'welcome',
  )
  await using client = await connect(server)
  await client.callTool('login', { user: 'ada', password: 'hunter2' })

  const [span] = spans().filter(({ name }) => name === 'tools/call login')
  expect(span?.attributes['gen_ai.tool.call.arguments']).toBe('{"user":"ada","password":"***"}')
  expect(span?.attributes['gen_ai.tool.call.result']).toContain('welcome')
})

test('a function may take out more, or all of it', async () => {
  const recorder = record({
    values: (value, { kind }) => (kind === 'result' ? undefined : { shown: typeof value }),
  })
  await using client = await connect(createNotes(recorder))
  await client.callTool('save', { text: 'milk' })

  const [span] = recorder.spans().filter(({ name }) => name === 'tools/call save')
  expect(span?.attributes['gen_ai.tool.call.arguments']).toBe('{"shown":"object"}')
  expect(span?.attributes).not.toHaveProperty('gen_ai.tool.call.result')
})

test('durations are counted by method, tool and kind of failure', async () => {
  const recorder = record()
  await using client = await connect(createNotes(recorder))
  await client.callTool('save', { text: 'one' })
  await client.callTool('save', { text: 'two' })
  await client.callTool('break')

  const points = await recorder.points('mcp.server.operation.duration')
  const calls = points.filter(({ attributes }) => attributes['mcp.method.name'] === 'tools/call')
  expect(
    calls.map(({ attributes, value }) => [
      attributes['gen_ai.tool.name'],
      attributes['error.type'],
      (value as { count: number }).count,
    ]),
  ).toEqual([
    ['save', undefined, 2],
    ['break', 'tool_error', 1],
  ])
  const [running] = await recorder.points('mcp.server.active_requests')
  expect(running?.value).toBe(0)
})

test('names that a caller makes up become no figures of their own', async () => {
  const recorder = record()
  await using client = await connect(createNotes(recorder))
  for (let count = 0; count < 50; count += 1) {
    await client.callTool(`made-up-${count}`).catch(() => undefined)
  }

  const points = await recorder.points('mcp.server.operation.duration')
  expect(points.length).toBeLessThan(5)
  expect(JSON.stringify(points)).not.toContain('made-up')
})

test('nothing is watched where no provider is registered, and calls work', async () => {
  const { telemetry } = await import('../src/index.ts')
  const server = createServer({ name: 'plain', version: '1.0.0', observer: telemetry() })
  server.tool('hello', {}, () => 'hello')
  await using client = await connect(server, { observer: telemetry() })

  expect(await client.callTool('hello')).toMatchObject({ content: [{ text: 'hello' }] })
  expect(trace.getActiveSpan()).toBeUndefined()
})
