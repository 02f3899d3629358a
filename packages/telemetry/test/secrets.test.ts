import { connect } from '@parley/mcp/client'
import type { HttpGuard } from '@parley/mcp/http'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { prometheus } from '@parley/telemetry/prometheus'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

import { withoutCredentials } from '../src/secrets.ts'
import { record } from './recorder.ts'

const secrets = ['hunter2', 'four-milk', 'found-it', 'tok-123456', 'p4ssw0rd', 'sig-98765']

test('no argument, result, token or credential leaves the program unless it is asked for', async () => {
  const recorder = record()
  const { observer } = recorder
  const server = createServer({
    name: 'vault',
    version: '1.0.0',
    observer,
    onError: () => undefined,
  })
  const inputSchema = z.object({ password: z.string(), text: z.string() })
  server.tool('open', { inputSchema }, () => 'found-it')
  server.tool('break', { inputSchema }, () => {
    throw new Error('the upstream refused Authorization: Bearer tok-123456', {
      cause: new Error('GET https://ada:p4ssw0rd@example.com/?signature=sig-98765 failed'),
    })
  })
  server.prompt('ask', { argumentsSchema: z.object({ text: z.string() }) }, () => 'found-it')
  const guard: HttpGuard = { authenticate: () => ({ kind: 'allow' }) }
  const service = await serveHttp(server, { port: 0, ownsProcess: false, auth: guard })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  const headers = { authorization: 'Bearer tok-123456', cookie: 'sid=tok-123456' }
  for (const protocolVersion of ['legacy', 'modern'] as const) {
    await using client = await connect(service.url, { protocolVersion, headers, observer })
    const input = { password: 'hunter2', text: 'four-milk' }
    await client.callTool('open', input)
    await client.callTool('break', input)
    await client.callTool('open', { password: 'hunter2' }).catch(() => undefined)
    await client.getPrompt('ask', { text: 'four-milk' })
    await client
      .readResource('https://ada:p4ssw0rd@example.com/?token=tok-123456')
      .catch(() => undefined)
  }

  const spans = recorder.spans().map(({ name, attributes, events, status, links }) => ({
    name,
    attributes,
    events,
    status,
    links,
  }))
  const exported = JSON.stringify([spans, await recorder.metrics()])
  expect(exported).toContain('tools/call open')
  expect(exported).toContain('the upstream refused')
  expect(exported).toContain('https://***@example.com/?token=***')
  expect(secrets.filter((secret) => exported.includes(secret))).toEqual([])
})

test('figures for Prometheus have nothing of it either', async () => {
  const metrics = prometheus()
  const server = createServer({ name: 'vault', version: '1.0.0', observer: metrics })
  const inputSchema = z.object({ password: z.string() })
  server.tool('open', { inputSchema }, () => 'found-it')
  await using client = await connect(server, { observer: metrics })
  await client.callTool('open', { password: 'hunter2' })
  await client.readResource('note://tok-123456').catch(() => undefined)

  const text = await metrics.registry.metrics()
  expect(text).toContain('name="open"')
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test.each([
  ['Authorization: Bearer abc.def-123', 'Authorization: Bearer ***'],
  ['basic YWRhOmx1ZA==', 'basic ***'],
  ['got eyJhbGciOi.eyJzdWIiOjF9.c2ln here', 'got *** here'],
  ['https://ada:lovelace@example.com/a', 'https://***@example.com/a'],
  ['/callback?code=123&state=x', '/callback?code=***&state=x'],
  ['https://x.example/a?x-api-key=1#top', 'https://x.example/a?x-api-key=***#top'],
  ['file:///home/ada/notes.txt', 'file:///home/ada/notes.txt'],
  ['the basic idea', 'the basic idea'],
])('%s is told as %s', (text, told) => {
  expect(withoutCredentials(text, 1_000)).toBe(told)
})

test('a long text is cut before it is searched', () => {
  expect(withoutCredentials('x'.repeat(2_000), 10)).toBe('xxxxxxxxxx…')
})
