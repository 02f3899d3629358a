import type { JsonValue } from '@parley/mcp'

import { safeJson } from '../terminal/safe-text.ts'
import { exchangesOf, type Exchange } from './exchanges.ts'
import { firstIndex } from './first-index.ts'
import type { TraceRecord } from './record.ts'

/** The requests of a trace as an HTTP archive (HAR 1.2), which browsers and proxies open; other transports as if they were HTTP. */
export function toHar(records: readonly TraceRecord[]): string {
  const http = httpOf(records)
  const log = {
    version: '1.2',
    creator: { name: 'parley', version: '1' },
    entries: exchangesOf(records).map((exchange) => entryOf(exchange, http)),
  }
  return `${safeJson({ log }, 2)}\n`
}

/** The HTTP records around a message, by connection. */
interface Http {
  /** What names a record as its parent. */
  below(record: TraceRecord): TraceRecord | undefined
  /** Where none does: the next that went out, or the last that came in. */
  near(record: TraceRecord, direction: 'in' | 'out'): TraceRecord | undefined
}

function httpOf(records: readonly TraceRecord[]): Http {
  const lanes = new Map<string, TraceRecord[]>()
  const byParent = new Map<number, TraceRecord>()
  for (const record of records) {
    if (record.kind !== 'http') continue
    if (record.parent !== undefined) byParent.set(record.parent, record)
    const lane = `${record.direction} ${record.connection}`
    const known = lanes.get(lane)
    if (known === undefined) lanes.set(lane, [record])
    else known.push(record)
  }
  return {
    below: ({ seq }) => byParent.get(seq),
    near({ seq, connection }, direction) {
      const lane = lanes.get(`${direction} ${connection}`) ?? []
      const next = firstIndex(lane, (record) => record.seq > seq)
      return direction === 'out' ? lane[next] : lane[next - 1]
    },
  }
}

function entryOf(exchange: Exchange, http: Http): object {
  const { request, answer, method, durationMs = 0 } = exchange
  const post = http.below(request) ?? http.near(request, 'out')
  const sent = post?.details
  const got = (post && http.below(post))?.details ?? (answer && http.near(answer, 'in')?.details)
  const body = JSON.stringify(request.message)
  const text = answer ? JSON.stringify(answer.message) : ''
  const url =
    typeof sent?.['url'] === 'string'
      ? sent['url']
      : `mcp://${encodeURIComponent(request.connection)}/${method}`
  return {
    startedDateTime: new Date(request.at).toISOString(),
    time: durationMs,
    comment: `${request.connection}: ${method}${exchange.name === undefined ? '' : ` ${exchange.name}`}`,
    request: {
      method: 'POST',
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(sent?.['headers']),
      queryString: [],
      postData: { mimeType: 'application/json', text: body },
      headersSize: -1,
      bodySize: request.bytes ?? Buffer.byteLength(body),
    },
    response: {
      status: typeof got?.['status'] === 'number' ? got['status'] : answer ? 200 : 0,
      statusText: exchange.error === undefined ? '' : 'JSON-RPC error',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(got?.['headers']),
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: answer?.bytes ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  }
}

function headersOf(headers: JsonValue | undefined): readonly object[] {
  if (typeof headers !== 'object' || headers === null) return []
  return Object.entries(headers).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
}
