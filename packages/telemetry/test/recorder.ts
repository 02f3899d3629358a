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
import { onTestFinished } from 'vitest'

import { telemetry, type TelemetryOptions } from '../src/index.ts'

/** The real SDK of OpenTelemetry, with everything kept in memory. */
export function record(options: TelemetryOptions = {}) {
  const spans = new InMemorySpanExporter()
  const traces = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({
    exporter: figures,
    exportIntervalMillis: 3_600_000,
  })
  const meters = new MeterProvider({ readers: [reader] })
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  onTestFinished(async () => {
    context.disable()
    propagation.disable()
    await traces.shutdown()
    await meters.shutdown()
  })
  const tracer = traces.getTracer('test')
  return {
    tracer,
    observer: telemetry({ tracer, meter: meters.getMeter('test'), ...options }),
    spans: (): readonly ReadableSpan[] => spans.getFinishedSpans(),
    /** The points of one instrument. */
    async points(name: string) {
      await reader.forceFlush()
      const all =
        figures
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []
      return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
    },
  }
}
