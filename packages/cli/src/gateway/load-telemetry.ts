import type { TelemetrySettings } from '@parley/gateway'
import type { RequestObserver } from '@parley/mcp'
import type { MetricsSource } from '@parley/mcp/node'

import { CliError } from '../exit.ts'

/** What tells OpenTelemetry of requests. Its packages are not installed with this command. */
export async function loadTelemetry(settings: TelemetrySettings): Promise<RequestObserver> {
  return orInstall('@opentelemetry/api', async () => {
    const { telemetry } = await import('@parley/telemetry')
    return telemetry(settings)
  })
}

/** What a gateway tells of requests: OpenTelemetry, or Prometheus at `/metrics`. */
export async function loadGatewayTelemetry(settings: TelemetrySettings): Promise<{
  readonly observer: RequestObserver
  readonly metrics?: MetricsSource
}> {
  if (settings.metrics !== true) return { observer: await loadTelemetry(settings) }
  return orInstall('prom-client', async () => {
    const { prometheus } = await import('@parley/telemetry/prometheus')
    const figures = prometheus()
    return { observer: figures, metrics: figures }
  })
}

async function orInstall<T>(other: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code } = error as { readonly code?: unknown } // an error of Node has one
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CliError(
      'error',
      `telemetry needs two more packages: npm install @parley/telemetry ${other} where this command is installed`,
    )
  }
}
