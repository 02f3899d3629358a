import { SpanKind, trace } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { startGateway } from '@parley/gateway'
import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createProxy } from '@parley/mcp/proxy'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { record, type Recorder } from './recorder.ts'

/** What arrives with each request: its headers, and its `_meta`. */
interface Seen {
  readonly header: string | undefined
  readonly meta: unknown
}

function createHello({ observer }: Pick<Recorder, 'observer'>, seen: Seen[] = []): Server {
  const server = createServer({ name: 'hello', version: '1.0.0', observer })
  server.tool('hello', {}, (_, { http, meta }) => {
    seen.push({ header: http?.header('traceparent'), meta: meta['traceparent'] })
    return 'hello'
  })
  return server
}

async function serve(server: Server): Promise<string> {
  const service = await serveHttp(server, { port: 0, ownsProcess: false })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return service.url.href
}

/** The spans of a call from the innermost out, by kind. */
function wayOut(spans: readonly ReadableSpan[], name: RegExp): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]))
  const parents = new Set(spans.map(({ parentSpanContext }) => parentSpanContext?.spanId))
  const named = spans.filter((span) => name.test(span.name))
  const inner = named.find((span) => !parents.has(span.spanContext().spanId))
  const way: string[] = []
  for (let at = inner; at !== undefined; at = byId.get(at.parentSpanContext?.spanId ?? '')) {
    way.push(SpanKind[at.kind])
  }
  return way
}

test.each(['legacy', 'modern'] as const)(
  'a %s call through a gateway has a span where it arrives and one where it is sent, each the parent of the next',
  async (protocolVersion) => {
    const recorder = record()
    const { observer, spans } = recorder
    const url = await serve(createHello(recorder))
    await using gateway = await startGateway({ servers: { one: { url } }, port: 0, observer })
    await gateway.started
    await using client = await connect(gateway.url ?? '', { protocolVersion, observer })
    await client.callTool('one__hello')

    expect(wayOut(spans(), /^tools\/call (one__)?hello$/)).toEqual([
      'SERVER',
      'CLIENT',
      'SERVER',
      'CLIENT',
    ])
    const sent = spans().filter(
      ({ name, kind }) => name === 'tools/call hello' && kind === SpanKind.CLIENT,
    )
    expect(sent.map(({ attributes }) => attributes)).toMatchObject([
      { 'server.port': Number(new URL(url).port), 'mcp.server.name': 'hello' },
    ])
    expect(
      new Set(
        spans()
          .filter(({ name }) => name.includes('hello'))
          .map((span) => span.spanContext().traceId),
      ).size,
    ).toBe(1)
  },
)

test('a proxy is a part of the trace of its caller, also where the program keeps no track of contexts', async () => {
  const { observer, spans } = record({ hasContexts: false })
  await using proxy = createProxy(createHello({ observer }), { observer })
  await using client = await connect(proxy, { observer })
  await client.callTool('hello')

  expect(trace.getActiveSpan()).toBeUndefined()
  expect(wayOut(spans(), /^tools\/call hello$/)).toEqual(['SERVER', 'CLIENT', 'SERVER', 'CLIENT'])
})

test.each(['legacy', 'modern'] as const)(
  'the trace context of a %s request is in its `_meta` and in its headers [N07-ENV-09]',
  async (protocolVersion) => {
    const recorder = record()
    const seen: Seen[] = []
    const url = await serve(createHello(recorder, seen))
    await using client = await connect(url, { protocolVersion, observer: recorder.observer })
    await client.callTool('hello')

    const [sent] = recorder
      .spans()
      .filter(({ kind, name }) => kind === SpanKind.CLIENT && name.includes('hello'))
    const { traceId, spanId } = sent?.spanContext() ?? {}
    const parent = `00-${traceId}-${spanId}-01`
    expect(seen).toEqual([{ header: parent, meta: parent }])
  },
)

test('headers repeat nothing where a `fetch` may add them itself', async () => {
  const recorder = record()
  const seen: Seen[] = []
  const url = await serve(createHello(recorder, seen))
  await using client = await connect(url, {
    fetch: (...given) => fetch(...given),
    observer: recorder.observer,
  })
  await client.callTool('hello')

  expect(seen).toEqual([{ header: undefined, meta: expect.any(String) as string }])
})
