import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { exceptionOf, endingOf } from '../src/outcome.ts'
import { addMetrics } from '../src/totals.ts'
import { record } from './recorder.ts'

/** The text of the exceptions of a span, with their causes. */
function stacksOf({ events }: ReadableSpan): readonly unknown[] {
  return events.map(({ attributes }) => attributes?.['exception.stacktrace'])
}

describe.each(['legacy', 'modern'] as const)('an error in a %s call', (protocolVersion) => {
  test('of a tool is recorded by the server with its cause, under the id that the client and onError are told', async () => {
    const recorder = record()
    const { observer, spans } = recorder
    const ids: unknown[] = []
    const server = createServer({
      name: 'full',
      version: '1.0.0',
      observer,
      onError: (_, { correlationId }) => ids.push(correlationId),
    })
    server.tool('save', {}, () => {
      throw new Error('cannot save', { cause: new TypeError('the disk is full') })
    })
    await using client = await connect(server, { protocolVersion, observer })
    const result = await client.callTool('save')

    const arrived = spans().find(
      ({ kind, name }) => kind === SpanKind.SERVER && name === 'tools/call save',
    )
    const [id] = ids
    expect(arrived?.attributes).toMatchObject({
      'error.type': 'tool_error',
      'mcp.error.correlation_id': id,
    })
    expect(JSON.stringify(result)).toContain(id)
    const [stack] = arrived ? stacksOf(arrived) : []
    expect(stack).toMatch(/^Error: cannot save\n[^]*\nCaused by: TypeError: the disk is full\n/)
  })

  test('of a resource is found by one id on both sides, and its cause stays at the server', async () => {
    const recorder = record()
    const { observer, spans } = recorder
    const server = createServer({
      name: 'full',
      version: '1.0.0',
      observer,
      onError: () => undefined,
    })
    server.resource('note://one', {}, () => {
      throw new Error('cannot read', { cause: new Error('ENOENT') })
    })
    await using client = await connect(server, { protocolVersion, observer })
    await client.readResource('note://one').catch(() => undefined)

    const of = (kind: SpanKind) =>
      spans().find((span) => span.kind === kind && span.name === 'resources/read')
    const [arrived, sent] = [of(SpanKind.SERVER), of(SpanKind.CLIENT)]
    expect(arrived?.attributes).toMatchObject({
      'error.type': 'internal_error',
      'rpc.response.status_code': '-32603',
      'mcp.error.correlation_id': expect.any(String) as string,
    })
    expect(sent?.attributes['mcp.error.correlation_id']).toBe(
      arrived?.attributes['mcp.error.correlation_id'],
    )
    expect(arrived?.status.code).toBe(SpanStatusCode.ERROR)
    expect(arrived && stacksOf(arrived).join()).toContain('Caused by: Error: ENOENT')
    expect(sent && stacksOf(sent).join()).not.toContain('ENOENT')
  })
})

test('a result that cannot be written is a failure, and no success', async () => {
  const { observer, spans } = record()
  const server = createServer({
    name: 'ring',
    version: '1.0.0',
    observer,
    onError: () => undefined,
  })
  server.tool('ring', {}, () => ({ content: [], structuredContent: { size: 1n } }))
  await using service = await serveHttp(server, { port: 0, ownsProcess: false })
  await using client = await connect(service.url)
  await client.callTool('ring').catch(() => undefined)

  const [span] = spans().filter(({ name }) => name === 'tools/call ring')
  expect(span?.status.code).toBe(SpanStatusCode.ERROR)
})

test('a call that runs out of time is a timeout, and was not cancelled', async () => {
  const { observer, spans } = record()
  const clock = createVirtualClock()
  const server = createServer({ name: 'slow', version: '1.0.0', observer })
  server.tool('hang', { timeoutMs: 1_000 }, () => new Promise<string>(() => undefined))
  await using client = await connect(server, { clock })
  const call = client.callTool('hang')
  await clock.advance(1_001)
  await call

  const [span] = spans().filter(({ name }) => name === 'tools/call hang')
  expect(span?.attributes['error.type']).toBe('timeout')
})

test('causes that go round end, and what is no error is not told', () => {
  const error = new Error('one')
  error.cause = new Error('two', { cause: error })

  const { stack } = exceptionOf(error)
  expect(stack.match(/Caused by/g)).toHaveLength(7)
  const odd = exceptionOf(new Error('odd', { cause: { password: 'hunter2' } }))
  expect(odd.stack).toMatch(/\nCaused by: a thrown object$/)
})

test('a message is told without credentials, and not at any length', () => {
  const message = `GET https://ada:p4ssw0rd@example.com/ failed ${'x'.repeat(100_000)}`
  const told = endingOf({ kind: 'error', error: new Error(message) }).message ?? ''

  expect(told).toContain('https://***@example.com/')
  expect(told.length).toBeLessThan(10_000)
})

test('what requests of one kind have waited is added up', () => {
  const total = { attributes: {}, requestBytes: 0, responseBytes: 0, waitedMs: 0, resends: 0 }
  addMetrics(total, { waitedMs: 20, resends: 1 })
  addMetrics(total, { waitedMs: 30, responseBytes: 5 })

  expect(total).toMatchObject({ waitedMs: 50, responseBytes: 5, resends: 1 })
})

test('numbers that the other side makes up become no figures of their own', () => {
  const codes = [-32_601, 404, 7, 123_456, 1.5].map(
    (code) => endingOf({ kind: 'error', error: { code, message: 'no' } }).type,
  )
  expect(codes).toEqual(['-32601', '404', '_OTHER', '_OTHER', '_OTHER'])
})
