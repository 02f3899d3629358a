import type { ObservedRequest, RequestObserver } from '@parley/mcp'
import type { Health, MetricsSource } from '@parley/mcp/node'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

import { targetOf, createLimitedNames } from './attributes.ts'
import { byteBuckets, secondBuckets } from './instruments.ts'
import { endingOf } from './outcome.ts'
import { sessionsLast, typeOf } from './sessions.ts'
import { waited } from './totals.ts'

/** How figures are kept for Prometheus. */
export interface PrometheusOptions {
  /** @defaultValue '/metrics' */
  readonly path?: string | undefined
  /** Your own, if you have figures of your own beside these. @defaultValue a new one */
  readonly registry?: Registry | undefined
}

/** Watches requests, and has the text for Prometheus. */
export interface Prometheus extends RequestObserver, MetricsSource {
  /** The registry of `prom-client` that has the metrics. */
  readonly registry: Registry
}

/**
 * Figures for Prometheus without OpenTelemetry: `const metrics = prometheus()`, then
 * `createServer({ observer: metrics })` and `serveHttp(server, { metrics })`.
 */
export function prometheus({
  path,
  registry = new Registry(),
}: PrometheusOptions = {}): Prometheus {
  const registers = [registry]
  const sides = { server: createSide('server'), client: createSide('client') }
  const resends = new Counter({
    name: 'mcp_client_request_resends_total',
    help: 'Requests that were sent again',
    labelNames,
    registers,
  })
  const gauges = {
    sessions: gauge('mcp_server_sessions', 'Sessions that this process remembers'),
    streams: gauge('mcp_server_streams', 'Event streams that somebody reads'),
    inFlight: gauge('mcp_server_requests_in_flight', 'Requests that are worked on now'),
    usedBytes: gauge('mcp_server_held_bytes', 'Bytes that callers make this process hold'),
    lateMs: gauge(
      'mcp_server_late_milliseconds',
      'How late the event loop is; 0 without maxLateMs',
    ),
    refused: gauge(
      'mcp_server_refused_requests',
      'Requests refused so far because it was too late',
    ),
  }
  const ready = gauge('mcp_server_ready', '1 if the service takes requests')
  const namesOf = createLimitedNames()

  function createSide(side: ObservedRequest['side']) {
    const named = (name: string) => `mcp_${side}_${name}`
    return {
      durations: new Histogram({
        name: named('operation_duration_seconds'),
        help: `How long requests take, as the ${side} sees it`,
        labelNames: [...labelNames, 'error_type'] as const,
        buckets: secondBuckets,
        registers,
      }),
      sessions: new Histogram({
        name: named('session_duration_seconds'),
        help: sessionsLast[side],
        labelNames: ['error_type'] as const,
        buckets: secondBuckets,
        registers,
      }),
      waits: histogram(named('request_wait_seconds'), waited[side], secondBuckets),
      requests: histogram(named('request_size_bytes'), 'Requests as JSON', byteBuckets),
      responses: histogram(named('response_size_bytes'), 'Results as JSON', byteBuckets),
    }
  }

  function histogram(name: string, help: string, buckets: number[]) {
    return new Histogram({ name, help, labelNames, buckets, registers })
  }

  function gauge(name: string, help: string) {
    return new Gauge({ name, help, registers })
  }

  return {
    registry,
    path,

    begin(request) {
      const startedAt = performance.now()
      return {
        run: (work) => work(),
        end(outcome, metrics = {}) {
          const { method, target = '' } = namesOf(request, targetOf(request), outcome)
          const { type = '' } = endingOf(outcome)
          const labels = { mcp_method_name: method, name: target }
          const { durations, waits, requests, responses } = sides[request.side]
          const { waitedMs, requestBytes, responseBytes, resends: again = 0 } = metrics
          const seconds = (performance.now() - startedAt) / 1_000
          durations.observe({ ...labels, error_type: type }, seconds)
          if (waitedMs !== undefined) waits.observe(labels, waitedMs / 1_000)
          if (requestBytes !== undefined) requests.observe(labels, requestBytes)
          if (responseBytes !== undefined) responses.observe(labels, responseBytes)
          if (again > 0) resends.inc(labels, again)
        },
      }
    },

    watchSession({ side }) {
      const startedAt = performance.now()
      return (reason) => {
        const seconds = (performance.now() - startedAt) / 1_000
        sides[side].sessions.observe({ error_type: typeOf(reason) ?? '' }, seconds)
      }
    },

    async read(health: Health) {
      ready.set(health.ready ? 1 : 0)
      for (const [name, own] of Object.entries(gauges)) {
        own.set(health[name as keyof typeof gauges] ?? 0) // a key of the table
      }
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

const labelNames = ['mcp_method_name', 'name'] as const
