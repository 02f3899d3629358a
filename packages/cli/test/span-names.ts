import { INVALID_SPAN_CONTEXT, SpanKind, trace, type Tracer } from '@opentelemetry/api'
import { onTestFinished } from 'vitest'

/** The kinds and names of all spans that are begun from now on, in this test. */
export function watchSpans(): readonly string[] {
  const spans: string[] = []
  const tracer: Pick<Tracer, 'startSpan'> = {
    startSpan(name, options) {
      spans.push(`${SpanKind[options?.kind ?? SpanKind.INTERNAL]} ${name}`)
      return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    },
  }
  trace.setGlobalTracerProvider({ getTracer: () => tracer as Tracer }) // no more of it is used
  onTestFinished(() => trace.disable())
  return spans
}
