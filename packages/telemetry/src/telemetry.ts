import {
  context,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Histogram,
  type Meter,
  type Span,
  type Tracer,
  type UpDownCounter,
} from '@opentelemetry/api'
import type { ObservedOutcome, ObservedRequest, RequestObserver } from '@parley/mcp'

import { commonAttributes, spanAttributes, targetOf } from './attributes.ts'
import { createKnownNames } from './known-names.ts'
import { endingOf } from './outcome.ts'
import { recorded, type Redact } from './recorded-values.ts'
import { contextOf, metaFor } from './trace-context.ts'

/** What is told to OpenTelemetry, and how. */
export interface TelemetryOptions {
  /** @defaultValue that of the tracer provider your program has registered */
  readonly tracer?: Tracer | undefined
  /** @defaultValue that of the meter provider your program has registered */
  readonly meter?: Meter | undefined
  /**
   * Records the arguments and results of tools, which may hold anything. Members that are named like secrets are covered
   * first; a function may take out more, or return undefined to record nothing. @defaultValue false
   */
  readonly values?: boolean | Redact | undefined
}

/**
 * Spans and metrics of every request, by the semantic conventions for MCP: `createServer({ observer: telemetry() })`,
 * `connect(url, { observer: telemetry() })`, `createProxy(target, { observer: telemetry() })`. The trace runs through:
 * its context travels in `_meta`, and what a handler does belongs to the span of its request.
 */
export function telemetry(options: TelemetryOptions = {}): RequestObserver {
  const tracer = options.tracer ?? trace.getTracer(packageName)
  const instruments = createInstruments(options.meter ?? metrics.getMeter(packageName))
  const namesOf = createKnownNames()
  const redact = options.values === true ? asItIs : options.values || undefined

  return {
    begin(request) {
      const { side, method, revision } = request
      const target = targetOf(request)
      const active = context.active()
      const parent = side === 'server' ? contextOf(request, active) : active
      const span = tracer.startSpan(
        target === undefined ? method : `${method} ${target}`,
        {
          kind: side === 'server' ? SpanKind.SERVER : SpanKind.CLIENT,
          attributes: {
            ...commonAttributes({ method, target }, revision),
            ...spanAttributes(request),
          },
        },
        parent,
      )
      if (redact && span.isRecording()) {
        span.setAttributes(recorded(request, 'arguments', request.params['arguments'], redact))
      }
      const own = trace.setSpan(parent, span)
      const { duration, active: running } = instruments[side]
      const startedAt = performance.now()
      running.add(1)

      return {
        meta: metaFor(own),
        run: (work) => context.with(own, work),
        end(outcome) {
          running.add(-1)
          const failure = finish(span, request, outcome, redact)
          const names = namesOf(request, target, outcome)
          const attributes = { ...commonAttributes(names, revision), ...failure }
          duration.record((performance.now() - startedAt) / 1_000, attributes)
        },
      }
    },
  }
}

const packageName = '@parley/telemetry'
const asItIs: Redact = (value) => value

/** Ends the span. Returns what metrics say of a failure. */
function finish(
  span: Span,
  request: ObservedRequest,
  outcome: ObservedOutcome,
  redact: Redact | undefined,
): Attributes {
  const { type, message, code, error } = endingOf(outcome)
  const failure: Attributes = {
    ...(type !== undefined && { 'error.type': type }),
    ...(code !== undefined && { 'rpc.response.status_code': code }),
  }
  if (span.isRecording()) {
    span.setAttributes(failure)
    if (error) span.recordException(error)
    if (type !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) })
    }
    if (redact && outcome.kind === 'result') {
      span.setAttributes(recorded(request, 'result', outcome.result, redact))
    }
  }
  span.end()
  return failure
}

interface Instruments {
  readonly duration: Histogram
  readonly active: UpDownCounter
}

/** In seconds, as the conventions advise. */
const buckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

function createInstruments(meter: Meter): { readonly [Side in 'server' | 'client']: Instruments } {
  const of = (side: 'server' | 'client', whose: string): Instruments => ({
    duration: meter.createHistogram(`mcp.${side}.operation.duration`, {
      unit: 's',
      description: `How long requests take, ${whose}`,
      advice: { explicitBucketBoundaries: buckets },
    }),
    active: meter.createUpDownCounter(`mcp.${side}.active_requests`, {
      unit: '{request}',
      description: `Requests that are worked on now, ${whose}`,
    }),
  })
  return {
    server: of('server', 'as the server sees it'),
    client: of('client', 'as the client sees it'),
  }
}
