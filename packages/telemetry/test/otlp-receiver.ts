import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { onTestFinished } from 'vitest'

/** A collector of this process: what exporters have sent to it, as text. */
export async function startReceiver() {
  const bodies: string[] = []
  const collector = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      bodies.push(text)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void collector.close())
  const { port } = collector.address() as AddressInfo // an address, no pipe
  const providers: BasicTracerProvider[] = []
  return {
    bodies,
    /** The tracer of a program, which exports each span when it ends. */
    tracerOf(service: string) {
      const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${port}/v1/traces` })
      const resource = resourceFromAttributes({ 'service.name': service })
      const spanProcessors = [new SimpleSpanProcessor(exporter)]
      const provider = new BasicTracerProvider({ resource, spanProcessors })
      providers.push(provider)
      return provider.getTracer('test')
    },
    /** Until everything has arrived. */
    async flush() {
      await Promise.all(providers.map((provider) => provider.shutdown()))
    },
  }
}
