import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { compareTraces, percentilesOf, traceStatistics } from '../../src/trace/index.ts'
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
