import {
  context,
  SpanStatusCode,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api'
import type { Observation, RequestMetrics, ObservedOutcome, ObservedRequest } from '@parley/mcp'

import { recordMetrics } from './attributes.ts'
import type { SideInstruments } from './instruments.ts'
import { exceptionOf, endingOf } from './outcome.ts'
import { recorded, type Redact } from './recorded-values.ts'
import type { RequestKind } from './request-kinds.ts'
import { SpanScope } from './span-scope.ts'
import { metaFor } from './trace-context.ts'

/** One request while it is worked on. A class, because one is made for every request. */
export class WatchedRequest implements Observation {
  private readonly request: ObservedRequest
  private readonly kind: RequestKind
  private readonly side: SideInstruments
  private readonly span: Span
  private readonly scope: Context
  private readonly redact: Redact | undefined
  private readonly startedAt = performance.now()

  /** Its span has begun, below `parent`. */
  constructor(
    request: ObservedRequest,
    kind: RequestKind,
    side: SideInstruments,
    span: Span,
    parent: Context,
    redact: Redact | undefined,
  ) {
    this.request = request
    this.kind = kind
    this.side = side
    this.span = span
    this.scope = new SpanScope(parent, span)
    this.redact = redact
    side.running += 1
  }

  /** Needed by whoever sends something on, and by nobody else. */
  get meta(): { readonly [name: string]: string } | undefined {
    return metaFor(this.scope)
  }

  run<T>(work: () => T): T {
    return context.with(this.scope, work)
  }

  end(outcome: ObservedOutcome, metrics?: RequestMetrics): void {
    const { side, kind, startedAt } = this
    side.running -= 1
    const failure = this.finish(outcome, metrics)
    side.ended(kind, outcome, (performance.now() - startedAt) / 1_000, failure, metrics)
  }

  /** Ends the span. Returns what metrics say of a failure. */
  private finish(
    outcome: ObservedOutcome,
    metrics: RequestMetrics | undefined,
  ): Attributes | undefined {
    const { span, request, redact } = this
    const { type, message, code, error, correlationId } = endingOf(outcome, metrics?.fault)
    const failure: Attributes | undefined = type === undefined ? undefined : { 'error.type': type }
    if (failure && code !== undefined) failure['rpc.response.status_code'] = code
    if (span.isRecording()) {
      if (metrics) recordMetrics(span, metrics)
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
}
