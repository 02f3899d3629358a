import { context, metrics, SpanKind, trace } from '@opentelemetry/api'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { connect } from '@parley/mcp/client'
import { createServer, serveTransport } from '@parley/mcp/server'
import { createTransportPair } from '@parley/mcp/testing'
import { telemetry } from '@parley/telemetry'
import { prometheus } from '@parley/telemetry/prometheus'
import { z } from 'zod'

/** Spans and figures are made and collected as in a program, and thrown away in place of being sent. */
const nowhere = {
  export: (_, done) => done({ code: 0 }),
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
}

function observerFor(how) {
  if (how === 'off') return undefined
  if (how === 'prometheus') return prometheus()
  if (how === 'api') return telemetry()
  const spanProcessors = [new BatchSpanProcessor(nowhere)]
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
  // Without a reader the SDK counts nothing.
  const readers = [new PeriodicExportingMetricReader({ exporter: nowhere })]
  metrics.setGlobalMeterProvider(new MeterProvider({ readers }))
  return how === 'hand' ? byHand() : telemetry()
}

/** The least that one would write for a span and a duration with the same attributes: what the SDK takes by itself. */
function byHand() {
  const tracer = trace.getTracer('by hand')
  const durations = metrics.getMeter('by hand').createHistogram('duration', { unit: 's' })
  return {
    begin({ method, params, revision, id }) {
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': params.name,
        'mcp.method.name': method,
        'mcp.protocol.version': revision,
      }
      const parent = context.active()
      const options = { kind: SpanKind.SERVER, attributes }
      const span = tracer.startSpan(`${method} ${params.name}`, options, parent)
      span.setAttribute('jsonrpc.request.id', String(id))
      const startedAt = performance.now()
      return {
        run: (work) => context.with(trace.setSpan(parent, span), work),
        end(_, { requestBytes, responseBytes } = {}) {
          if (requestBytes !== undefined) span.setAttribute('mcp.request.size', requestBytes)
          if (responseBytes !== undefined) span.setAttribute('mcp.response.size', responseBytes)
          span.end()
          durations.record((performance.now() - startedAt) / 1_000, attributes)
        },
      }
    },
  }
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
