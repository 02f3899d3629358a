import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  compareTraces,
  exchangesOf,
  percentilesOf,
  traceStatistics,
} from '../../src/trace/index.ts'
import { answer, call, record } from './made.ts'

describe('figures', () => {
  test('counts, errors and latencies by method', () => {
    const trace = record()
    for (const [id, ms] of [10, 20, 30, 40].entries()) {
      trace.out(call(id, 'a'))
      trace.wait(ms)
      trace.in(id === 3 ? answer(id, 'failed', true) : answer(id, 'done'))
    }
    trace.out(call(9, 'never answered'))
    trace.out({ jsonrpc: '2.0', id: 10, method: 'ping' })
    trace.in({ jsonrpc: '2.0', id: 10, error: { code: -32601, message: 'no' } })

    const [calls, pings] = traceStatistics(trace.all())

    expect(calls).toMatchObject({
      connection: 'git',
      method: 'tools/call',
      count: 5,
      errors: 1,
      unanswered: 1,
    })
    expect(calls?.latency).toMatchObject({ min: 10, mean: 25, p50: 20, p99: 40, max: 40 })
    expect(pings).toMatchObject({ method: 'ping', count: 1, errors: 1 })
  })

  test('a probe that an older server refuses is no error, and a start of a program no latency', () => {
    const trace = record()
    trace.tap.add({ kind: 'process', text: 'start node server.js' })
    trace.out({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} })
    trace.wait(900)
    trace.in({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } })
    trace.out({ jsonrpc: '2.0', id: 2, method: 'initialize', params: {} })
    trace.wait(4)
    trace.in({ jsonrpc: '2.0', id: 2, result: {} })

    const exchanges = exchangesOf(trace.all())
    const [probe, greeting] = traceStatistics(trace.all())

    expect(exchanges).toMatchObject([
      { method: 'server/discover', isProbe: true, isStart: true },
      { method: 'initialize', isProbe: false, isStart: false },
    ])
    expect(probe).toMatchObject({ method: 'server/discover', count: 1, errors: 0, unanswered: 0 })
    expect(probe?.latency).toBeUndefined()
    expect(greeting?.latency).toMatchObject({ max: 4 })
  })

  test('a refusal of server/discover that no handshake follows is an error', () => {
    const trace = record()
    trace.out({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: {} })
    trace.in({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'broken' } })

    expect(traceStatistics(trace.all())).toMatchObject([{ errors: 1 }])
  })

  test.each([
    ['lost', (trace: Recorded) => trace.tap.onStatus({ state: 'closed' }, { state: 'ready' })],
    ['lost', (trace: Recorded) => trace.tap.add({ kind: 'status', text: 'failed' })],
    ['timed out', cancel('tools/call had no frame for 500 ms')],
    ['timed out', cancel('McpError: MCP error -32001: Request timed out')],
    ['cancelled', cancel('the user cancelled it')],
    ['cancelled', cancel(undefined)],
  ])('a request without an answer ends as %s', (how, end) => {
    const trace = record()
    trace.out(call(1, 'a'))

    const before = exchangesOf(trace.all())
    end(trace)

    expect(before[0]?.ended).toBeUndefined()
    expect(exchangesOf(trace.all())).toMatchObject([{ ended: how }])
  })

  test('percentiles are values of the sample, in order', () => {
    const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(values, (sample) => {
        const { min, p50, p90, p95, p99, max } = percentilesOf(sample)
        const shown = [min, p50, p90, p95, p99, max]

        expect(shown).toEqual(shown.toSorted((one, other) => one - other))
        for (const value of shown) expect(sample).toContain(value)
        expect([min, max]).toEqual([Math.min(...sample), Math.max(...sample)])
      }),
    )
  })
})

type Recorded = ReturnType<typeof record>

function cancel(reason: string | undefined): (trace: Recorded) => void {
  const params = { requestId: 1, ...(reason !== undefined && { reason }) }
  return (trace) => void trace.out({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
}

describe('comparing', () => {
  test('the same conversation has no differences, whatever its ids', () => {
    const one = record()
    const other = record()
    for (const [trace, id] of [
      [one, 1],
      [other, 77],
    ] as const) {
      trace.out(call(id, 'a', { page: 1 }))
      trace.in(answer(id, 'done'))
    }

    expect(compareTraces(one.all(), other.all()).map(({ kind }) => kind)).toEqual(['same'])
  })

  test('says which fields changed, what is new and what is gone', () => {
    const one = record()
    one.out(call(1, 'a', { page: 1 }))
    one.wait(10)
    one.in(answer(1, 'three'))
    one.out(call(2, 'gone'))
    one.out(call(3, 'b'))
    const other = record()
    other.out(call(1, 'a', { page: 2 }))
    other.wait(30)
    other.in(answer(1, 'four'))
    other.out(call(2, 'b'))
    other.out(call(3, 'new'))

    const compared = compareTraces(one.all(), other.all())

    expect(compared.map(({ kind, name }) => [kind, name])).toEqual([
      ['changed', 'a'],
      ['only-left', 'gone'],
      ['same', 'b'],
      ['only-right', 'new'],
    ])
    expect(compared[0]).toMatchObject({
      slowerMs: 20,
      changes: [
        { pointer: '/params/arguments/page', left: 1, right: 2 },
        { pointer: '/result/content/0/text', left: 'three', right: 'four' },
      ],
    })
  })

  test('every request of both sides is in the comparison once', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
    fc.assert(
      fc.property(names, names, (left, right) => {
        const one = record()
        const other = record()
        for (const [id, name] of left.entries()) one.out(call(id, name))
        for (const [id, name] of right.entries()) other.out(call(id, name))

        const compared = compareTraces(one.all(), other.all())

        expect(compared.flatMap((pair) => pair.left?.name ?? [])).toEqual(left)
        expect(compared.flatMap((pair) => pair.right?.name ?? [])).toEqual(right)
      }),
    )
  })
})
