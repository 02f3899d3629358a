import { expect, test } from 'vitest'

import { exchangesOf, readTrace, toOtlp } from '../../src/trace/index.ts'
import { answer, call, record } from './made.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'

function spansOf(service: string, spans: readonly unknown[]): object {
  const attributes = [{ key: 'service.name', value: { stringValue: service } }]
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }] }
}

function span(spanId: string, from: number, to: number, more: object = {}): object {
  const nanoseconds = (ms: number): string => `${1_700_000_000_000 + ms}000000`
  return {
    traceId,
    spanId,
    name: spanId,
    kind: 3,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    ...more,
  }
}

test('spans are requests below the span that led to them, whatever service they are of', () => {
  const outer = spansOf('host', [span('turn', 0, 30)])
  const inner = spansOf('notes', [span('look', 0, 30, { parentSpanId: 'turn', kind: 2 })])

  const { records, problems } = readTrace(`${JSON.stringify(inner)}\n${JSON.stringify(outer)}\n`)

  expect(problems).toEqual([])
  expect(
    records.map(({ connection, direction, time, parent }) => [connection, direction, time, parent]),
  ).toEqual([
    ['host', 'out', 0, undefined],
    ['notes', 'in', 0, 1],
    ['notes', 'out', 30, 2],
    ['host', 'in', 30, 1],
  ])
})

test('what failed says why', () => {
  const attributes = [
    { key: 'mcp.method.name', value: { stringValue: 'tools/call' } },
    { key: 'gen_ai.tool.name', value: { stringValue: 'pay' } },
    { key: 'rpc.response.status_code', value: { intValue: '-32602' } },
  ]
  const status = { code: 2, message: 'no such card' }
  const text = JSON.stringify(spansOf('shop', [span('a', 0, 5, { attributes, status })]), null, 2)

  const [exchange] = exchangesOf(readTrace(text).records)

  expect(exchange).toMatchObject({ method: 'tools/call', name: 'pay', durationMs: 5 })
  expect(exchange?.error).toEqual({ code: -32602, message: 'no such card' })
})

test('what we write is read again', () => {
  const trace = record()
  trace.out(call(1, 'a'))
  trace.in(answer(1, 'done'))

  const [exchange] = exchangesOf(readTrace(toOtlp(trace.all())).records)

  expect(exchange).toMatchObject({ method: 'tools/call', name: 'a' })
})

test('spans without id or times, rings and other lines cost themselves alone', () => {
  const ring = [span('a', 1, 2, { parentSpanId: 'b' }), span('b', 1, 2, { parentSpanId: 'a' })]
  const broken = [{}, null, 5, span('', 1, 2), { ...span('c', 1, 2), startTimeUnixNano: 'soon' }]
  const good = JSON.stringify(spansOf('x', [...ring, ...broken]))

  const { records, problems } = readTrace(`${good}\nnonsense\n{"resourceSpans":7}\n`)

  expect(records).toHaveLength(4)
  expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '2 not spans',
    '3 not spans',
    '1 5 spans have no id or no times',
  ])
})
