import type { Attributes, Meter, ObservableCallback } from '@opentelemetry/api'
import type { RequestMetrics } from '@parley/mcp'

import { commonAttributes, type MetricNames } from './attributes.ts'

/** The sums of one kind of requests: bytes received, bytes sent, and time waited. */
export interface Total {
  /** The attributes of all metrics of this kind. */
  readonly attributes: Attributes
  requestBytes: number
  responseBytes: number
  waitedMs: number
  resends: number
}

/** Sums by method and tool, kept here and read when figures are collected: an addition costs a tenth of what a record does. */
export interface Totals {
  /** The names are of a limited number. */
  of(names: MetricNames, revision: string | undefined): Total
}

export function createTotals(meter: Meter, side: 'server' | 'client'): Totals {
  const byKind = new Map<string, Total>()

  function counter(name: string, unit: string, description: string, observe: ObservableCallback) {
    meter.createObservableCounter(`mcp.${side}.${name}`, { unit, description }).addCallback(observe)
  }

  counter('io', 'By', `Requests and results as JSON, as the ${side} sees it`, (result) => {
    const [request, response] = side === 'server' ? [received, sent] : [sent, received]
    for (const { attributes, requestBytes, responseBytes } of byKind.values()) {
      if (requestBytes > 0) result.observe(requestBytes, { ...attributes, ...request })
      if (responseBytes > 0) result.observe(responseBytes, { ...attributes, ...response })
    }
  })
  counter('wait_time', 's', waited[side], (result) => {
    for (const { attributes, waitedMs } of byKind.values()) {
      if (waitedMs > 0) result.observe(waitedMs / 1_000, attributes)
    }
  })
  if (side === 'client') {
    counter('resends', '{request}', 'Requests that were sent again', (result) => {
      for (const { attributes, resends } of byKind.values()) {
        if (resends > 0) result.observe(resends, attributes)
      }
    })
  }

  return {
    of(names, revision = '') {
      const { method, target = '' } = names
      const key = `${revision} ${method} ${target}`
      let total = byKind.get(key)
      if (total === undefined) {
        const attributes = commonAttributes(names, revision === '' ? undefined : revision)
        total = { attributes, requestBytes: 0, responseBytes: 0, waitedMs: 0, resends: 0 }
        byKind.set(key, total)
      }
      return total
    },
  }
}

/** Adds what was found out about one request. */
export function addMetrics(total: Total, metrics: RequestMetrics): void {
  const { requestBytes = 0, responseBytes = 0, waitedMs = 0, resends = 0 } = metrics
  total.requestBytes += requestBytes
  total.responseBytes += responseBytes
  total.waitedMs += waitedMs
  total.resends += resends
}

const received: Attributes = { 'network.io.direction': 'receive' }
const sent: Attributes = { 'network.io.direction': 'transmit' }

/** The description of the metrics about waiting. */
export const waited = {
  server: 'How long requests wait from their arrival until their work begins',
  client: 'How long requests wait until they are sent',
} as const
