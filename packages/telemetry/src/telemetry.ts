import {
  context,
  metrics,
  SpanKind,
  trace,
  type Context,
  type Meter,
  type Tracer,
} from '@opentelemetry/api'
import type { ObservedRequest, RequestObserver } from '@parley/mcp'

import { firstAttributes, identify, targetOf } from './attributes.ts'
import { createHostWatch, type HostWatch } from './host-watch.ts'
import { createInstruments } from './instruments.ts'
import { recorded, type Redact } from './recorded-values.ts'
import { createSessionWatch } from './sessions.ts'
import { contextOf } from './trace-context.ts'
import { WatchedRequest } from './watched-request.ts'

/** The telemetry to record, and its instruments. */
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

/** Tells OpenTelemetry of requests, sessions and turns. */
export type Telemetry = RequestObserver & HostWatch

/**
 * Spans and metrics of every request, by the semantic conventions for MCP: `createServer({ observer: telemetry() })`,
 * `connect(url, { observer: telemetry() })`, `createProxy(target, { observer: telemetry() })`. The trace runs through:
 * its context travels in `_meta`, and what a handler does belongs to the span of its request. A host has spans of its
 * turns too, and of its requests to models: `createHost({ observer: telemetry(), … })`.
 */
export function telemetry(options: TelemetryOptions = {}): Telemetry {
  const tracer = options.tracer ?? trace.getTracer(packageName)
  const meter = options.meter ?? metrics.getMeter(packageName)
  const instruments = createInstruments(meter)
  const redact = options.values === true ? asItIs : options.values || undefined

  return {
    begin(request) {
      const side = instruments[request.side]
      const kind = side.kinds.of(request.revision, request.method, targetOf(request))
      const parent = parentOf(request)
      const span = tracer.startSpan(
        kind.spanName,
        { kind: spanKinds[request.side], attributes: firstAttributes(request, kind) },
        parent,
      )
      if (span.isRecording()) {
        identify(span, request)
        if (redact) {
          span.setAttributes(recorded(request, 'arguments', request.params['arguments'], redact))
        }
      }
      return new WatchedRequest(request, kind, side, span, parent, redact)
    },
    watchService: instruments.watch,
    watchSession: createSessionWatch(meter),
    ...createHostWatch(tracer, meter),
  }
}

const spanKinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const
const packageName = '@parley/telemetry'
const asItIs: Redact = (value) => value

/** Returns the parent of a request: one sent for a received request belongs to that, even if the program does not propagate contexts. */
function parentOf(request: ObservedRequest): Context {
  const active = context.active()
  const isKnown = request.side === 'client' && trace.getSpan(active) !== undefined
  return isKnown ? active : contextOf(request, active)
}
