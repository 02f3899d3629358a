import {
  context,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Meter,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import type { ObservedFacts, ObservedOutcome, ObservedRequest, RequestObserver } from '@parley/mcp'

import { addSpanAttributes, commonAttributes, factAttributes, targetOf } from './attributes.ts'
import { exceptionOf } from './exception.ts'
import { createInstruments } from './instruments.ts'
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
      const parent = parentOf(request)
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
        end(outcome, facts) {
          counted.running -= 1
          const failure = finish(span, request, outcome, facts, redact)
          const seconds = (performance.now() - startedAt) / 1_000
          const names = namesOf(request, target, outcome)
          counted.ended({ names, revision, seconds, failure, facts })
        },
      }
    },
    watchService: instruments.watch,
  }
}

const packageName = '@parley/telemetry'
const asItIs: Redact = (value) => value

/** What is sent for a request that arrived belongs to that, whether or not the program keeps track of contexts. */
function parentOf(request: ObservedRequest): Context {
  const active = context.active()
  const isKnown = request.side === 'client' && trace.getSpan(active) !== undefined
  return isKnown ? active : contextOf(request, active)
}

/** Ends the span. Returns what metrics say of a failure. */
function finish(
  span: Span,
  request: ObservedRequest,
  outcome: ObservedOutcome,
  facts: ObservedFacts | undefined,
  redact: Redact | undefined,
): Attributes | undefined {
  const { type, message, code, error, correlationId } = endingOf(outcome, facts?.fault)
  const failure: Attributes | undefined = type === undefined ? undefined : { 'error.type': type }
  if (failure && code !== undefined) failure['rpc.response.status_code'] = code
  if (span.isRecording()) {
    if (facts) span.setAttributes(factAttributes(facts))
    if (failure) span.setAttributes(failure)
    if (correlationId !== undefined) span.setAttribute('mcp.error.correlation_id', correlationId)
    if (error) span.recordException(exceptionOf(error))
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
