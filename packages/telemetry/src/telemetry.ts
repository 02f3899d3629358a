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
} from '@opentelemetry/api'
import type { ObservedOutcome, ObservedRequest, RequestObserver } from '@parley/mcp'

import { addSpanAttributes, commonAttributes, targetOf } from './attributes.ts'
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
          attributes: addSpanAttributes(commonAttributes({ method, target }, revision), request),
        },
        parent,
      )
      if (redact && span.isRecording()) {
        span.setAttributes(recorded(request, 'arguments', request.params['arguments'], redact))
      }
      const own = trace.setSpan(parent, span)
      const counted = instruments[side]
      const startedAt = performance.now()
      counted.running += 1

      return {
        get meta() {
          return metaFor(own) // needed by whoever sends something on, and by nobody else
        },
        run: (work) => context.with(own, work),
        end(outcome) {
          counted.running -= 1
          const failure = finish(span, request, outcome, redact)
          const names = namesOf(request, target, outcome)
          const attributes = Object.assign(commonAttributes(names, revision), failure)
          counted.duration.record((performance.now() - startedAt) / 1_000, attributes)
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
): Attributes | undefined {
  const { type, message, code, error } = endingOf(outcome)
  const failure: Attributes | undefined = type === undefined ? undefined : { 'error.type': type }
  if (failure && code !== undefined) failure['rpc.response.status_code'] = code
  if (span.isRecording()) {
    if (failure) span.setAttributes(failure)
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

/** What is counted on one side. */
interface Counted {
  readonly duration: Histogram
  /** Asked for whenever figures are collected: to count costs nothing. */
  running: number
}

/** In seconds, as the conventions advise. */
const buckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

function createInstruments(meter: Meter): { readonly [Side in 'server' | 'client']: Counted } {
  const of = (side: 'server' | 'client'): Counted => {
    const counted: Counted = {
      duration: meter.createHistogram(`mcp.${side}.operation.duration`, {
        unit: 's',
        description: `How long requests take, as the ${side} sees it`,
        advice: { explicitBucketBoundaries: buckets },
      }),
      running: 0,
    }
    meter
      .createObservableUpDownCounter(`mcp.${side}.active_requests`, {
        unit: '{request}',
        description: `Requests that are worked on now, as the ${side} sees it`,
      })
      .addCallback((result) => result.observe(counted.running))
    return counted
  }
  return { server: of('server'), client: of('client') }
}
