import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { TraceRecord } from '../record.ts'

/** A span as far as a trace shows it. */
interface Span {
  readonly id: string
  readonly parentId: string
  readonly name: string
  readonly service: string
  /** `in` where a request arrived. */
  readonly direction: 'in' | 'out'
  /** Milliseconds since the epoch. */
  readonly start: number
  readonly end: number
  readonly attributes: JsonObject
  /** Why it failed; undefined if it did not. */
  readonly failure?: string | undefined
}

/** Whether a value is spans in the JSON form of OTLP, as an exporter sends them and a collector writes them. */
export function isOtlp(value: unknown): value is { readonly resourceSpans: readonly unknown[] } {
  return isJsonObject(value) && Array.isArray(value['resourceSpans'])
}

/**
 * Spans as the records of a trace: each is a request with its answer, below the span that led to it. The service of a span
 * is its connection. What is no span is left out.
 */
export function fromOtlp(exports: readonly { readonly resourceSpans: readonly unknown[] }[]): {
  readonly records: readonly TraceRecord[]
  /** Spans that have no id or no times. */
  readonly unreadable: number
} {
  const read = exports.flatMap(({ resourceSpans }) => resourceSpans.flatMap(spansOf))
  const spans = read.filter((span) => span !== undefined)
  const begin = spans.reduce((earliest, { start }) => Math.min(earliest, start), Infinity)
  const depths = depthsOf(spans)
  const moments = spans.flatMap((span) => {
    const depth = depths.get(span.id) ?? 0
    return [
      { span, depth, at: span.start, isEnd: false },
      { span, depth, at: span.end, isEnd: true },
    ]
  })
  // The record that began first comes first, and those it caused end before it.
  moments.sort(
    (a, b) =>
      a.at - b.at ||
      Number(a.isEnd) - Number(b.isEnd) ||
      (a.isEnd ? b.depth - a.depth : a.depth - b.depth),
  )
  const seqs = new Map<string, number>()
  const records = moments.map(({ span, at, isEnd }, index): TraceRecord => {
    const seq = index + 1
    const base = {
      seq,
      at,
      time: Math.round((at - begin) * 1000) / 1000,
      connection: span.service,
      kind: 'message' as const,
    }
    if (isEnd) return { ...base, ...answerOf(span, seqs.get(span.id)) }
    seqs.set(span.id, seq)
    return { ...base, ...requestOf(span, seqs.get(span.parentId)) }
  })
  return { records, unreadable: read.length - spans.length }
}

function requestOf(span: Span, parent: number | undefined): Partial<TraceRecord> {
  const { attributes, direction } = span
  const method = textOf(attributes['mcp.method.name']) ?? span.name
  const revision = textOf(attributes['mcp.protocol.version'])
  return {
    direction,
    message: { jsonrpc: '2.0', id: span.id, method, params: paramsOf(attributes) },
    details: { span: span.name, attributes },
    ...(parent !== undefined && { parent }),
    ...(revision !== undefined && { revision }),
  }
}

function paramsOf(attributes: JsonObject): JsonObject {
  const name = attributes['gen_ai.tool.name'] ?? attributes['gen_ai.prompt.name']
  const uri = attributes['mcp.resource.uri']
  return { ...(name !== undefined && { name }), ...(uri !== undefined && { uri }) }
}

function answerOf(span: Span, parent: number | undefined): Partial<TraceRecord> {
  const { id, failure, attributes } = span
  const code = Number(attributes['rpc.response.status_code'] ?? 0)
  const outcome = failure === undefined ? { result: {} } : { error: { code, message: failure } }
  return {
    direction: span.direction === 'in' ? 'out' : 'in',
    message: { jsonrpc: '2.0', id, ...outcome },
    ...(parent !== undefined && { parent }),
  }
}

/** How many spans are around each. A ring, which no exporter makes, ends where it began. */
function depthsOf(spans: readonly Span[]): ReadonlyMap<string, number> {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const depths = new Map<string, number>()
  for (const span of spans) {
    const way: Span[] = []
    let at: Span | undefined = span
    while (at !== undefined && !depths.has(at.id)) {
      depths.set(at.id, 0)
      way.push(at)
      at = byId.get(at.parentId)
    }
    let depth = at === undefined ? -1 : (depths.get(at.id) ?? 0)
    for (const item of way.toReversed()) depths.set(item.id, (depth += 1))
  }
  return depths
}

function spansOf(resource: unknown): readonly (Span | undefined)[] {
  if (!isJsonObject(resource)) return [undefined]
  const about = isJsonObject(resource['resource']) ? resource['resource'] : {}
  const service = textOf(attributesOf(about['attributes'])['service.name']) ?? 'unknown'
  const scopes = listOf(resource['scopeSpans'])
  return scopes.flatMap((scope) =>
    listOf(isJsonObject(scope) ? scope['spans'] : undefined).map((span) => spanOf(span, service)),
  )
}

function spanOf(value: unknown, service: string): Span | undefined {
  if (!isJsonObject(value)) return undefined
  const id = textOf(value['spanId'])
  const start = milliseconds(value['startTimeUnixNano'])
  const end = milliseconds(value['endTimeUnixNano'])
  if (id === undefined || start === undefined || end === undefined) return undefined
  const trace = textOf(value['traceId']) ?? ''
  const parent = textOf(value['parentSpanId']) ?? ''
  const attributes = attributesOf(value['attributes'])
  const status = isJsonObject(value['status']) ? value['status'] : {}
  const isFailed = status['code'] === 2 || status['code'] === 'STATUS_CODE_ERROR'
  const failure = textOf(status['message']) ?? textOf(attributes['error.type']) ?? 'failed'
  const isServer = value['kind'] === 2 || value['kind'] === 'SPAN_KIND_SERVER'
  return {
    id: `${trace} ${id}`,
    parentId: parent === '' ? '' : `${trace} ${parent}`,
    name: textOf(value['name']) ?? 'span',
    service,
    direction: isServer ? 'in' : 'out',
    start,
    end: Math.max(start, end),
    attributes,
    ...(isFailed && { failure }),
  }
}

function attributesOf(list: unknown): JsonObject {
  const pairs = listOf(list).flatMap((item): [string, JsonValue][] => {
    const key = isJsonObject(item) ? textOf(item['key']) : undefined
    const value = isJsonObject(item) ? plainValue(item['value']) : undefined
    return key === undefined || value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(pairs)
}

/** Returns the value of an attribute: texts, numbers and booleans. Lists and maps are left out. */
function plainValue(value: unknown): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined
  const { stringValue, boolValue, intValue, doubleValue } = value
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  const number = Number(intValue ?? doubleValue)
  return Number.isFinite(number) ? number : undefined
}

/** Exporters write nanoseconds as text, since they are too large for a number. */
function milliseconds(nanoseconds: unknown): number | undefined {
  const isNumber = typeof nanoseconds === 'number' || typeof nanoseconds === 'string'
  const value = isNumber ? Number(nanoseconds) / 1_000_000 : Number.NaN
  return Number.isFinite(value) && value > 0 ? value : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [] // whatever is in it is looked at
}
