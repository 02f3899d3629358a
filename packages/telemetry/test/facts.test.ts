import { PassThrough } from 'node:stream'

import { SpanKind, type Attributes } from '@opentelemetry/api'
import { connect } from '@parley/mcp/client'
import type { HttpGuard } from '@parley/mcp/http'
import { serveHttp } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'
import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

import { record, type Recorder } from './recorder.ts'

function createEcho({ observer }: Pick<Recorder, 'observer'>): Server {
  const server = createServer({ name: 'echo', version: '1.0.0', observer })
  const inputSchema = z.object({ text: z.string() })
  server.tool('echo', { inputSchema }, ({ text }) => text)
  return server
}

async function serve(server: Server, options: Parameters<typeof serveHttp>[1] = {}): Promise<URL> {
  const service = await serveHttp(server, { port: 0, ownsProcess: false, ...options })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return service.url
}

/** Of the call, where it arrived or where it was sent. */
function attributesOf({ spans }: Recorder, kind: SpanKind): Attributes | undefined {
  return spans().find((span) => span.kind === kind && span.name === 'tools/call echo')?.attributes
}

/** What a counter has of the call, in one direction where there are two. */
async function countOf({ points }: Recorder, name: string, direction?: string) {
  const all = await points(name)
  return all.find(
    ({ attributes }) =>
      attributes['gen_ai.tool.name'] === 'echo' && attributes['network.io.direction'] === direction,
  )?.value
}

describe('sizes', () => {
  test.each(['legacy', 'modern'] as const)(
    'of a %s request and its result are the same on both sides, in bytes',
    async (protocolVersion) => {
      const recorder = record()
      const url = await serve(createEcho(recorder))
      await using client = await connect(url, { protocolVersion, observer: recorder.observer })
      const text = 'é'.repeat(500)
      await client.callTool('echo', { text })

      const sent = attributesOf(recorder, SpanKind.CLIENT)
      const arrived = attributesOf(recorder, SpanKind.SERVER)
      for (const name of ['mcp.request.size', 'mcp.response.size']) {
        expect(arrived?.[name]).toBeGreaterThan(1_000)
        expect(arrived?.[name]).toBeLessThan(2_000)
        expect(sent?.[name]).toBe(arrived?.[name])
      }
      const request = arrived?.['mcp.request.size']
      const response = arrived?.['mcp.response.size']
      expect(await countOf(recorder, 'mcp.server.io', 'receive')).toBe(request)
      expect(await countOf(recorder, 'mcp.client.io', 'transmit')).toBe(request)
      expect(await countOf(recorder, 'mcp.server.io', 'transmit')).toBe(response)
      expect(await countOf(recorder, 'mcp.client.io', 'receive')).toBe(response)
    },
  )

  test('of a line are those of the line', async () => {
    const recorder = record()
    const [input, output] = [new PassThrough(), new PassThrough().setEncoding('utf8')]
    const service = serveStdio(createEcho(recorder), { input, output, ownsProcess: false })
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { name: 'echo', arguments: { text: 'é' }, _meta }
    const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    input.write(`${line}\n`)
    const answer = await new Promise<string>((resolve) => output.once('data', resolve))

    expect(attributesOf(recorder, SpanKind.SERVER)).toMatchObject({
      'mcp.request.size': Buffer.byteLength(line),
      'mcp.response.size': Buffer.byteLength(answer.trimEnd()),
    })
  })

  test('of a list that is sent again and again are known too', async () => {
    const recorder = record()
    const url = await serve(createEcho(recorder))
    await using client = await connect(url, {
      protocolVersion: 'legacy',
      observer: recorder.observer,
    })
    await client.listTools().toArray()

    const sizes = recorder
      .spans()
      .filter(({ name }) => name === 'tools/list')
      .map(({ attributes }) => attributes['mcp.response.size'])
    expect(sizes).toEqual([expect.any(Number), sizes[0]])
  })

  test('are not made up in one process, where nothing is written', async () => {
    const recorder = record()
    await using client = await connect(createEcho(recorder), { observer: recorder.observer })
    await client.callTool('echo', { text: 'x' })

    for (const kind of [SpanKind.SERVER, SpanKind.CLIENT]) {
      const attributes = attributesOf(recorder, kind)
      expect(attributes).toBeDefined()
      expect(attributes).not.toHaveProperty(['mcp.request.size'])
      expect(attributes).not.toHaveProperty(['mcp.response.size'])
    }
  })
})

describe('waiting', () => {
  test('of a server is from the arrival of a request until its work begins', async () => {
    const recorder = record()
    const clock = createVirtualClock()
    const auth: HttpGuard = {
      async authenticate() {
        await clock.advance(250)
        return { kind: 'allow' }
      },
    }
    const url = await serve(createEcho(recorder), { clock, auth })
    await using client = await connect(url)
    await client.callTool('echo', { text: 'x' })

    const waited = attributesOf(recorder, SpanKind.SERVER)?.['mcp.request.wait_duration']
    expect(waited).toBe(0.25)
    expect(await countOf(recorder, 'mcp.server.wait_time')).toBe(0.25)
  })

  test('of a client is from the call until it is sent', async () => {
    const recorder = record()
    const { observer } = recorder
    const clock = createVirtualClock()
    const auth = {
      async authorize() {
        await clock.advance(250)
        return {}
      },
      challenged: async () => false,
    }
    const url = await serve(createEcho(recorder))
    await using client = await connect(url, { clock, auth, observer })
    await client.callTool('echo', { text: 'x' })

    const waited = attributesOf(recorder, SpanKind.CLIENT)?.['mcp.request.wait_duration']
    expect(waited).toBe(0.25)
    expect(await countOf(recorder, 'mcp.client.wait_time')).toBe(0.25)
  })
})

describe('a request that is sent again', () => {
  test('because credentials were refused is counted', async () => {
    const recorder = record()
    let rejections = 0
    const auth: HttpGuard = {
      authenticate: ({ header }) =>
        header('mcp-method') === 'tools/call' && rejections++ === 0
          ? { kind: 'deny', status: 401, headers: {}, message: 'no' }
          : { kind: 'allow' },
    }
    const url = await serve(createEcho(recorder), { auth })
    const again = { authorize: async () => ({}), challenged: async () => true }
    await using client = await connect(url, { auth: again, observer: recorder.observer })
    await client.callTool('echo', { text: 'x' })
    await client.callTool('echo', { text: 'x' })

    const counts = recorder
      .spans()
      .filter(({ kind, name }) => kind === SpanKind.CLIENT && name === 'tools/call echo')
      .map(({ attributes }) => attributes['mcp.request.resend_count'])
    expect(counts).toEqual([1, undefined])
    const [resends] = await recorder.points('mcp.client.resends')
    expect(resends?.value).toBe(1)
  })

  test('because its session was lost is counted', async () => {
    const recorder = record()
    const server = createEcho(recorder)
    const first = await serveHttp(server, { port: 0, ownsProcess: false })
    await using client = await connect(first.url, {
      protocolVersion: 'legacy',
      observer: recorder.observer,
    })
    await client.listTools().toArray()
    await first.drain({ deadlineMs: 0 })
    await serve(server, { port: Number(first.url.port) })
    await client.listTools({ fresh: true }).toArray()

    const counts = recorder
      .spans()
      .filter(({ kind, name }) => kind === SpanKind.CLIENT && name === 'tools/list')
      .map(({ attributes }) => attributes['mcp.request.resend_count'])
    expect(counts).toEqual([undefined, expect.any(Number)]) // an idle connection may be found dead first
  })
})

test('sessions, streams, held bytes and requests under way are figures of OpenTelemetry', async () => {
  const recorder = record()
  const { observer } = recorder
  const server = createServer({ name: 'slow', version: '1.0.0', observer })
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => (finish = resolve))
  server.tool('slow', {}, async (_, { progress }) => {
    await progress({ progress: 1 })
    await finished
    return 'done'
  })
  const service = await serveHttp(server, { port: 0, ownsProcess: false })
  await using client = await connect(service.url, { protocolVersion: 'legacy', observer })
  let hear: () => void = () => undefined
  const received = new Promise<void>((resolve) => (hear = resolve))
  const call = client.callTool('slow', {}, { onProgress: () => hear() })
  await received

  async function valueOf(name: string): Promise<unknown> {
    return (await recorder.points(name))[0]?.value
  }
  expect(await valueOf('mcp.server.sessions')).toBe(1)
  expect(await valueOf('mcp.server.streams')).toBe(1)
  expect(await valueOf('mcp.server.active_requests')).toBe(1)
  expect(await valueOf('mcp.client.active_requests')).toBe(1)
  expect(await valueOf('mcp.server.held_bytes')).toBeGreaterThan(0)
  finish()
  await call
  expect(await valueOf('mcp.server.active_requests')).toBe(0)
  await service.drain({ deadlineMs: 0 })
  expect(await valueOf('mcp.server.sessions')).toBe(0)
})
