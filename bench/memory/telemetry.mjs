import { metrics, trace } from '@opentelemetry/api'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { connect } from '@parley/mcp/client'
import { createServer, serveTransport } from '@parley/mcp/server'
import { createTransportPair } from '@parley/mcp/testing'
import { telemetry } from '@parley/telemetry'
import { prometheus } from '@parley/telemetry/prometheus'
import { z } from 'zod'

/** Spans are made and queued as in a program, and thrown away in place of being sent. */
const nowhere = {
  export: (_, done) => done({ code: 0 }),
  shutdown: async () => undefined,
}

function observerFor(how) {
  if (how === 'off') return undefined
  if (how === 'prometheus') return prometheus()
  if (how === 'sdk') {
    const spanProcessors = [new BatchSpanProcessor(nowhere)]
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
    metrics.setGlobalMeterProvider(new MeterProvider())
  }
  return telemetry()
}

/** Connects to a definition in this process that is watched in one of the ways; messages are objects, or text. */
export async function open({ words: [how, form] }) {
  const observer = observerFor(how)
  const server = createServer({ name: 'watched', version: '1.0.0', observer })
  server.tool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => text)
  const client = await connect(form === 'text' ? textTo(server) : server)
  return { call: (text) => client.callTool('echo', { text }), close: () => client.close() }
}

function textTo(server) {
  const [ours, theirs] = createTransportPair({ text: true })
  serveTransport(server, theirs)
  return ours
}
