import { createHash } from 'node:crypto'

import { safeJson } from '../../terminal/safe-text.ts'
import { exchangesOf, type Exchange } from '../exchanges.ts'
import type { TraceRecord } from '../record.ts'

/** Every request as a span in the JSON form of OTLP, questions below the call that led to them. */
export function toOtlp(records: readonly TraceRecord[]): string {
  const exchanges = exchangesOf(records)
  const requests = new Set(exchanges.map(({ request }) => request.seq))
  const byConnection = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    const { connection } = exchange.request
    byConnection.set(connection, byConnection.get(connection) ?? [])
    byConnection.get(connection)?.push(exchange)
  }
  const resourceSpans = [...byConnection].map(([connection, own]) => ({
    resource: {
      attributes: [attribute('service.name', 'parley'), attribute('mcp.server.name', connection)],
    },
    scopeSpans: [
      { scope: { name: 'parley.trace' }, spans: own.map((exchange) => spanOf(exchange, requests)) },
    ],
  }))
  return `${safeJson({ resourceSpans }, 2)}\n`
}

function spanOf(exchange: Exchange, requests: ReadonlySet<number>): object {
  const { request, answer, method, name, error, isToolError, isProbe, durationMs } = exchange
  const { parent, connection, revision } = request
  const start = request.at
  const hasParent = parent !== undefined && requests.has(parent)
  const isFailed = (error !== undefined && !isProbe) || isToolError
  return {
    traceId: idOf(`${connection} ${hasParent ? parent : request.seq}`, 32),
    spanId: idOf(`${connection} ${request.seq}`, 16),
    ...(hasParent && { parentSpanId: idOf(`${connection} ${parent}`, 16) }),
    name: name === undefined ? method : `${method} ${name}`,
    kind: request.direction === 'in' ? 2 : 3,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(start + (durationMs ?? 0)),
    attributes: [
      attribute('rpc.system', 'jsonrpc'),
      attribute('mcp.method.name', method),
      ...(method === 'tools/call' && name !== undefined
        ? [attribute('gen_ai.tool.name', name)]
        : []),
      ...(method === 'resources/read' && name !== undefined
        ? [attribute('mcp.resource.uri', name)]
        : []),
      ...(revision === undefined ? [] : [attribute('mcp.protocol.version', revision)]),
      ...(isFailed
        ? [attribute('error.type', isToolError ? 'tool_error' : JSON.stringify(error?.['code']))]
        : []),
      ...(answer ? [] : [attribute('parley.unanswered', 'true')]),
    ],
    status: isFailed ? { code: 2, message: textOf(error?.['message']) } : { code: 1 },
  }
}

function textOf(message: unknown): string {
  return typeof message === 'string' ? message : 'the tool failed'
}

function attribute(key: string, value: string): object {
  return { key, value: { stringValue: value } }
}

/** The same record gives the same id in every conversion. */
function idOf(text: string, letters: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, letters)
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n)
}
