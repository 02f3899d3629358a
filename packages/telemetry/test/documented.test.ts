import { readFile } from 'node:fs/promises'

import { createHost } from '@parley/host'
import type { Model } from '@parley/host/models'
import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { prometheus } from '@parley/telemetry/prometheus'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { record } from './recorder.ts'

const model: Model = {
  name: 'scripted',
  async *stream() {
    yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
  },
}

const page = new URL('../../../docs/telemetry.md', import.meta.url)

test('every attribute and metric is in the tables of docs/telemetry.md', async () => {
  const recorder = record({ values: true })
  const { observer } = recorder
  const metrics = prometheus()
  const server = createServer({ name: 'all', version: '1.0.0', observer, onError: () => undefined })
  server.tool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => text)
  server.tool('break', {}, () => {
    throw new Error('no')
  })
  server.prompt('ask', {}, () => 'asked')
  await using service = await serveHttp(server, { port: 0, ownsProcess: false })
  for (const watching of [observer, metrics]) {
    await using client = await connect(service.url, {
      protocolVersion: 'legacy',
      observer: watching,
    })
    await client.callTool('echo', { text: 'x' })
    await client.callTool('break')
    await client.getPrompt('ask')
    await client.readResource('note://none').catch(() => undefined)
  }

  const consent = { decide: async () => [] }
  await using host = createHost({ servers: [], model, consent, observer })
  for await (const event of host.turn('Hello')) void event

  const seen = new Set(recorder.spans().flatMap(({ attributes }) => Object.keys(attributes)))
  for (const { descriptor, dataPoints } of await recorder.metrics()) {
    seen.add(descriptor.name)
    for (const { attributes } of dataPoints)
      for (const name of Object.keys(attributes)) seen.add(name)
  }
  for (const { name } of await metrics.registry.getMetricsAsJSON()) seen.add(name)
  const text = await readFile(page, 'utf8')
  expect(seen.size).toBeGreaterThan(35)
  expect([...seen].filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})
