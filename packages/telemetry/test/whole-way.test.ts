import { writeFileSync } from 'node:fs'
import { env } from 'node:process'

import type { Tracer } from '@opentelemetry/api'
import { exchangesOf, readTrace, type Exchange } from '@parley/foundation/trace'
import { startGateway } from '@parley/gateway'
import { createHost, type HostServer } from '@parley/host'
import { createScriptedModel } from '@parley/host/models'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { telemetry } from '@parley/telemetry'
import { expect, onTestFinished, test } from 'vitest'

import { startReceiver } from './otlp-receiver.ts'
import { record } from './recorder.ts'

/** A server whose tool asks a database. */
async function serveTool(tracer: Tracer, name: string): Promise<string> {
  const server = createServer({ name, version: '1.0.0', observer: telemetry({ tracer }) })
  server.tool('look', {}, async () => {
    const query = tracer.startSpan(`SELECT ${name}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    query.end()
    return `looked at ${name}`
  })
  const service = await serveHttp(server, { port: 0, ownsProcess: false })
  onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
  return service.url.href
}

/** A turn of a host that calls both tools through a gateway. */
async function playTurn(tracerOf: (service: string) => Tracer): Promise<void> {
  const gateway = await startGateway({
    servers: {
      notes: { url: await serveTool(tracerOf('notes'), 'notes') },
      files: { url: await serveTool(tracerOf('files'), 'files') },
    },
    port: 0,
    observer: telemetry({ tracer: tracerOf('gateway') }),
  })
  onTestFinished(() => gateway.close())
  const server: HostServer = { name: 'all', target: { url: gateway.url?.href ?? '' } }
  await using host = createHost({
    servers: [server],
    model: createScriptedModel([
      ({ tools }) => ({
        calls: tools.filter(({ name }) => name.includes('look')).map(({ name }) => ({ name })),
      }),
      { text: 'done' },
    ]),
    consent: { decide: async (calls) => calls.map(() => ({ decision: 'allow', rule: 'all' })) },
    observer: telemetry({ tracer: tracerOf('host') }),
  })
  for await (const event of host.turn('Look at both.')) void event
}

test('one trace runs from a host through a gateway into what two servers ask their databases, and is read back from OTLP', async () => {
  record() // the context of the SDK
  const receiver = await startReceiver()
  await playTurn(receiver.tracerOf)
  await receiver.flush()

  const text = receiver.bodies.join('\n')
  const { records, problems } = readTrace(text)
  // The trace that the Inspector draws in docs/telemetry.md, and in its test.
  if (env['KEEP_SPANS'] !== undefined) {
    const [, id = ''] = /"traceId":"(\w+)","spanId":"\w+","name":"invoke_agent"/.exec(text) ?? []
    const own = receiver.bodies.filter((body) => body.includes(id)) // servers are looked at before
    writeFileSync(env['KEEP_SPANS'], `${own.join('\n')}\n`)
  }

  expect(problems).toEqual([])
  for (const name of ['notes', 'files']) {
    expect(wayTo(exchangesOf(records), `SELECT ${name}`)).toEqual([
      `${name}: SELECT ${name}`,
      `${name}: tools/call look`,
      'gateway: tools/call look',
      `gateway: tools/call ${name}__look`,
      `host: tools/call ${name}__look`,
      'host: invoke_agent',
    ])
  }
})

/** A span and those around it, from within. */
function wayTo(exchanges: readonly Exchange[], method: string): readonly string[] {
  const bySeq = new Map(exchanges.map((exchange) => [exchange.request.seq, exchange]))
  const way: string[] = []
  for (let at = exchanges.find((exchange) => exchange.method === method); at !== undefined;) {
    const { request, name } = at
    way.push(`${request.connection}: ${at.method}${name === undefined ? '' : ` ${name}`}`)
    at = bySeq.get(request.parent ?? 0)
  }
  return way
}
