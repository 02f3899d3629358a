import { expect, test } from 'vitest'

import { bridgeCases } from '../bridge-cases.mjs'
import { telemetryCases } from '../telemetry-cases.mjs'
import { classify } from '../verdict.mjs'

function row(name: string, figures: { readonly [field: string]: number }) {
  return { name, title: name, figures }
}

test('a bridge is judged by the relay, by its rivals and by its calls per CPU second', () => {
  const rows = [
    row('parley', { cpuMicros: 50, perSecond: 3_000 }),
    row('floor', { cpuMicros: 25 }),
    row('gateway', { cpuMicros: 250, perSecond: 9_000 }),
    row('supergateway', { cpuMicros: 200 }),
  ]

  const verdicts = classify(bridgeCases['gateway-stdio-32'], rows)

  expect(verdicts).toMatchObject([
    { claim: 'ours ÷ hand-written relay', value: 2, limit: 2.5, holds: true },
    { claim: 'supergateway ÷ ours', value: 4, limit: 5, holds: false },
    { claim: 'calls per CPU second of parley', value: 20_000, holds: true },
    { claim: 'calls per CPU second of gateway', value: 4_000, holds: false },
  ])
})

test('the latency that is added is what is above calls with nothing between', () => {
  const rows = bridgeCases['gateway-http-1'].finish([
    row('direct', { p50Micros: 100, p99Micros: 300 }),
    row('parley', { p50Micros: 400, p99Micros: 900 }),
    row('gateway', { p50Micros: 700, p99Micros: 900 }),
  ])

  const verdicts = classify(bridgeCases['gateway-http-1'], rows)

  expect(rows[1]?.figures).toMatchObject({ addedP50Micros: 300, addedP99Micros: 600 })
  expect(verdicts).toMatchObject([
    { value: 300, limit: 500, holds: true },
    { value: 600, limit: 500, holds: false },
  ])
})

test('watching is judged by what it adds, and what the SDK takes by itself is only shown', () => {
  const rows = [
    row('off', { cpuMicros: 4 }),
    row('hand', { cpuMicros: 10 }),
    row('sdk', { cpuMicros: 11 }),
  ]

  expect(classify(telemetryCases.telemetry, rows)).toEqual([
    { claim: 'CPU µs added to a call: hand', value: 6, bound: 'at most' },
    { claim: 'CPU µs added to a call: sdk', value: 7, bound: 'at most', limit: 5, holds: false },
  ])
})
