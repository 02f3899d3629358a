import { SpanKind, type Attributes } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SamplingDecision,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { connect } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

import { record } from './recorder.ts'

test('what one request says is not said of the next of its kind', async () => {
  const { observer, spans } = record()
  const server = createServer({ name: 'shop', version: '1.0.0', observer })
  const inputSchema = z.object({ isBroken: z.boolean() })
  server.tool('buy', { inputSchema }, ({ isBroken }) => ({
    content: [],
    isError: isBroken,
  }))
  await using client = await connect(server)
  for (const isBroken of [false, true, false]) await client.callTool('buy', { isBroken })

  const all = spans().filter(({ name }) => name === 'tools/call buy')
  const ids = new Set(all.map(({ attributes }) => attributes['jsonrpc.request.id']))
  expect(ids.size).toBe(3)
  expect(all.map(({ attributes }) => attributes['error.type'])).toEqual([
    undefined,
    'tool_error',
    undefined,
  ])
  expect(new Set(all.map(({ attributes }) => attributes)).size).toBe(3)
})

test('a sampler may go by method and tool, and what it leaves out is counted all the same', async () => {
  const seen: Attributes[] = []
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    sampler: {
      shouldSample(_, __, ___, kind, attributes) {
        if (kind === SpanKind.SERVER) seen.push({ ...attributes })
        const isNoise = attributes['gen_ai.tool.name'] === 'noise'
        return {
          decision: isNoise ? SamplingDecision.NOT_RECORD : SamplingDecision.RECORD_AND_SAMPLED,
        }
      },
      toString: () => 'no noise',
    },
  })
  onTestFinished(() => provider.shutdown())
  const recorder = record({ tracer: provider.getTracer('test'), values: true })
  const server = createServer({ name: 'mixed', version: '1.0.0', observer: recorder.observer })
  for (const name of ['noise', 'sound']) server.tool(name, {}, () => name)
  await using client = await connect(server)
  for (const name of ['noise', 'sound', 'noise', 'sound']) await client.callTool(name)

  const calls = seen.filter((attributes) => attributes['mcp.method.name'] === 'tools/call')
  expect(calls).toHaveLength(4)
  expect(calls[0]).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'mcp.protocol.version': expect.any(String) as string,
  })
  const names = exporter.getFinishedSpans().map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('tools/call'))).toEqual([
    'tools/call sound',
    'tools/call sound',
  ])
  const points = await recorder.points('mcp.server.operation.duration')
  const counts = points.map(({ attributes, value }) => [
    attributes['gen_ai.tool.name'],
    (value as { count: number }).count,
  ])
  expect(counts).toContainEqual(['noise', 2])
  expect(counts).toContainEqual(['sound', 2])
})
