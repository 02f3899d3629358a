import { propagation, trace, type Context, type TextMapGetter } from '@opentelemetry/api'
import type { ObservedRequest } from '@parley/mcp'

/** The keys that carry a trace, in `_meta` as in headers. */
const keys = ['traceparent', 'tracestate', 'baggage'] as const

/** The context that a request came with: of its `_meta`, else of its HTTP headers. */
export function contextOf(request: ObservedRequest, active: Context): Context {
  const { _meta: meta } = request.params
  const carrier = isObject(meta) && typeof meta['traceparent'] === 'string' ? meta : undefined
  const { header } = request
  if (carrier === undefined && header?.('traceparent') === undefined) return active
  const extracted = carrier
    ? propagation.extract(active, carrier, fromObject)
    : propagation.extract(active, header, fromHeaders)
  if (extracted === active) warnOfUnconnectedTraces()
  return extracted
}

/** Returns the metadata for the next process. */
export function metaFor(context: Context): { readonly [name: string]: string } | undefined {
  const meta: { [name: string]: string } = {}
  propagation.inject(context, meta)
  if (keys.some((key) => key in meta)) return meta
  if (trace.getSpan(context)?.isRecording() === true) warnOfUnconnectedTraces()
  return undefined
}

let isWarned = false

/** Reports, once, that spans are recorded while no propagator connects them: client and server show up as two traces. */
function warnOfUnconnectedTraces(): void {
  if (isWarned) return
  isWarned = true
  const text =
    'spans of client and server will be two traces: no propagator is registered. NodeSDK of @opentelemetry/sdk-node registers one; ' +
    'without it, call propagation.setGlobalPropagator(new W3CTraceContextPropagator())'
  const { process } = globalThis as {
    process?: { emitWarning?: (text: string, type: string) => void }
  } // may be missing: not only Node runs this
  if (process?.emitWarning) process.emitWarning(text, 'TelemetryWarning')
  else console.warn(text)
}

const fromObject: TextMapGetter<{ readonly [name: string]: unknown }> = {
  keys: (carrier) => Object.keys(carrier),
  get(carrier, key) {
    const value = Object.hasOwn(carrier, key) ? carrier[key] : undefined
    return typeof value === 'string' && value.length <= longest ? value : undefined
  },
}

const fromHeaders: TextMapGetter<(name: string) => string | undefined> = {
  keys: () => [...keys],
  get: (header, key) => header(key),
}

/** The maximum length of a header; a longer one is not a trace. */
const longest = 8_192

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null
}
