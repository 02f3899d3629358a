import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { SpanKind } from '@opentelemetry/api'
import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { startReceiver } from './otlp-receiver.ts'
import { record } from './recorder.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parent = `00-${traceId}-b7ad6b7169203331-01`

async function serveHello(observer: ReturnType<typeof record>['observer']): Promise<URL> {
  const server = createServer({ name: 'hello', version: '1.0.0', observer })
  server.tool('hello', {}, () => 'hello')
  const service = await serveHttp(server, { port: 0, ownsProcess: false })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return service.url
}

test('a call of the official client belongs to its trace, by `_meta`', async () => {
  const { observer, spans } = record()
  const url = await serveHello(observer)
  const client = new Client({ name: 'official', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(url))
  onTestFinished(() => client.close())
  await client.callTool({ name: 'hello', _meta: { traceparent: parent } })

  const [span] = spans().filter(({ name }) => name === 'tools/call hello')
  expect(span?.spanContext().traceId).toBe(traceId)
  expect(span?.attributes).toMatchObject({ 'network.protocol.name': 'http' })
})

test('a call belongs to the trace of its HTTP headers where `_meta` names none', async () => {
  const { observer, spans } = record()
  const url = await serveHello(observer)
  await using client = await connect(url, { headers: { traceparent: parent } })
  await client.callTool('hello')

  const [span] = spans().filter(({ name }) => name === 'tools/call hello')
  expect(span?.spanContext().traceId).toBe(traceId)
})

test('the official server gets the trace of our client', async () => {
  const { observer, spans } = record()
  const seen: unknown[] = []
  const server = new McpServer({ name: 'official', version: '1.0.0' })
  server.registerTool('hello', {}, (extra) => {
    seen.push(extra._meta?.['traceparent'])
    return { content: [{ type: 'text', text: 'hello' }] }
  })
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'one' })
  await server.connect(transport)
  const http = createHttpServer(
    (request, response) => void transport.handleRequest(request, response),
  )
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  const { port } = http.address() as AddressInfo // an address, no pipe
  await using client = await connect(`http://127.0.0.1:${port}/mcp`, { observer })
  await client.callTool('hello')

  const [span] = spans().filter(
    ({ kind, name }) => kind === SpanKind.CLIENT && name.includes('hello'),
  )
  const { traceId: sent, spanId } = span?.spanContext() ?? {}
  expect(seen).toEqual([`00-${sent}-${spanId}-01`])
})

test('spans reach a collector that speaks OTLP', async () => {
  const receiver = await startReceiver()
  const { observer } = record({ tracer: receiver.tracerOf('hello') })
  await using client = await connect(await serveHello(observer), { observer })
  await client.callTool('hello')
  await receiver.flush()

  const names = receiver.bodies.flatMap((text) =>
    [...text.matchAll(/"name":"(tools\/call hello)"/g)].map(([, name]) => name),
  )
  expect(names).toEqual(['tools/call hello', 'tools/call hello'])
})
