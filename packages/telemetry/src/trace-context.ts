import { propagation, type Context, type TextMapGetter } from '@opentelemetry/api'
import type { ObservedRequest } from '@parley/mcp'

/** The keys that carry a trace, in `_meta` as in headers. */
const keys = ['traceparent', 'tracestate', 'baggage'] as const

/** The context that a request came with: of its `_meta`, else of its HTTP headers. */
export function contextOf(request: ObservedRequest, active: Context): Context {
  const { _meta: meta } = request.params
  const carrier = isObject(meta) && typeof meta['traceparent'] === 'string' ? meta : undefined
  if (carrier) return propagation.extract(active, carrier, fromObject)
  const { header } = request
  return header?.('traceparent') === undefined
    ? active
    : propagation.extract(active, header, fromHeaders)
}

/** What the next one has to know. */
export function metaFor(context: Context): { readonly [name: string]: string } | undefined {
  const meta: { [name: string]: string } = {}
  propagation.inject(context, meta)
  return keys.some((key) => key in meta) ? meta : undefined
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

/** As headers have it; more is no trace. */
const longest = 8_192

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null
}
