import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base'
import { telemetry, type TelemetryOptions } from '@parley/telemetry'
import { onTestFinished } from 'vitest'

export type Recorder = ReturnType<typeof record>

/** The real SDK of OpenTelemetry, with everything kept in memory. */
export function record({
  hasContexts = true,
  ...options
}: TelemetryOptions & { readonly hasContexts?: boolean } = {}) {
  const spans = new InMemorySpanExporter()
  const traces = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({
    exporter: exporter,
    exportIntervalMillis: 3_600_000,
  })
  const meters = new MeterProvider({ readers: [reader] })
  const contexts = new AsyncLocalStorageContextManager().enable()
  if (hasContexts) context.setGlobalContextManager(contexts)
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  onTestFinished(async () => {
    context.disable()
    propagation.disable()
    await traces.shutdown()
    await meters.shutdown()
  })
  const tracer = traces.getTracer('test')

  async function readAll() {
    await reader.forceFlush()
    const last = exporter.getMetrics().at(-1)
    return last?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []
  }

  return {
    tracer,
    observer: telemetry({ tracer, meter: meters.getMeter('test'), ...options }),
    spans: (): readonly ReadableSpan[] => spans.getFinishedSpans(),
    /** The points of one instrument. */
    async points(name: string) {
      const all = await readAll()
      return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
    },
    /** Every instrument that has points. */
    metrics: readAll,
  }
}
