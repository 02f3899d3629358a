import type { ObservedRequest, RequestObserver } from '@parley/mcp'
import type { Health, MetricsSource } from '@parley/mcp/node'
import { Gauge, Histogram, Registry } from 'prom-client'

import { targetOf } from './attributes.ts'
import { createKnownNames } from './known-names.ts'
import { endingOf } from './outcome.ts'

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
  const durations = { server: durationOf('server'), client: durationOf('client') }
  const gauges = {
    sessions: gauge('mcp_server_sessions', 'Sessions that this process remembers'),
    streams: gauge('mcp_server_streams', 'Event streams that somebody reads'),
    inFlight: gauge('mcp_server_requests_in_flight', 'Requests that are worked on now'),
    heldBytes: gauge('mcp_server_held_bytes', 'Bytes that callers make this process hold'),
  }
  const ready = gauge('mcp_server_ready', '1 if the service takes requests')
  const namesOf = createKnownNames()

  function durationOf(side: ObservedRequest['side']) {
    return new Histogram({
      name: `mcp_${side}_operation_duration_seconds`,
      help: `How long requests take, as the ${side} sees it`,
      labelNames: ['mcp_method_name', 'name', 'error_type'] as const,
      buckets: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
      registers,
    })
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
        end(outcome) {
          const { method, target = '' } = namesOf(request, targetOf(request), outcome)
          const { type = '' } = endingOf(outcome)
          durations[request.side].observe(
            { mcp_method_name: method, name: target, error_type: type },
            (performance.now() - startedAt) / 1_000,
          )
        },
      }
    },

    async read(health: Health) {
      ready.set(health.ready ? 1 : 0)
      for (const [name, own] of Object.entries(gauges)) {
        own.set(health[name as keyof typeof gauges]) // a key of the table
      }
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}
