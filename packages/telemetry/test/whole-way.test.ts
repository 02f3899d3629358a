import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { startGateway } from '@parley/gateway'
import { createHost, type HostServer } from '@parley/host'
import { scriptedModel } from '@parley/host/models'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { record } from './recorder.ts'

type Recorder = ReturnType<typeof record>

async function serveTool({ observer, tracer }: Recorder, name: string): Promise<string> {
  const server = createServer({ name, version: '1.0.0', observer })
  server.tool('look', {}, async () => {
    const query = tracer.startSpan(`SELECT ${name}`)
    await Promise.resolve()
    query.end()
    return `looked at ${name}`
  })
  const service = await serveHttp(server, { port: 0, ownProcess: false })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return service.url.href
}

test('one trace runs from a host through a gateway into what two servers ask their databases', async () => {
  const recorder = record()
  const { observer, tracer, spans } = recorder
  const gateway = await startGateway({
    servers: {
      notes: { url: await serveTool(recorder, 'notes') },
      files: { url: await serveTool(recorder, 'files') },
    },
    port: 0,
    observer,
  })
  onTestFinished(() => gateway.close())
  const server: HostServer = { name: 'all', target: { url: gateway.url?.href ?? '' } }
  await using host = createHost({
    servers: [server],
    model: scriptedModel([
      ({ tools }) => ({
        calls: tools.filter(({ name }) => name.includes('look')).map(({ name }) => ({ name })),
      }),
      { text: 'done' },
    ]),
    consent: { decide: async (calls) => calls.map(() => ({ decision: 'allow', rule: 'all' })) },
    observer,
  })

  await tracer.startActiveSpan('a turn', async (turn) => {
    for await (const event of host.turn('Look at both.')) void event
    turn.end()
  })

  for (const of of ['notes', 'files']) {
    expect(wayTo(spans(), `SELECT ${of}`)).toEqual([
      `SELECT ${of}`,
      'tools/call look', // at the server
      `tools/call ${of}__look`, // at the gateway
      `tools/call ${of}__look`, // sent by the host
      'a turn',
    ])
  }
})

/** The names of a span and of those around it, from within. */
function wayTo(spans: readonly ReadableSpan[], name: string): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]))
  const way: string[] = []
  for (let at = spans.find((span) => span.name === name); at !== undefined;) {
    way.push(at.name)
    at = byId.get(at.parentSpanContext?.spanId ?? '')
  }
  return way
}
