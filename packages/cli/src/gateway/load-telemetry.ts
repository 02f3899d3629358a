import type { TelemetrySettings } from '@parley/gateway'
import type { RequestObserver } from '@parley/mcp'

import { CliError } from '../exit.ts'

/** What tells OpenTelemetry of requests. Its packages are not installed with this command. */
export async function loadTelemetry(settings: TelemetrySettings): Promise<RequestObserver> {
  try {
    const { telemetry } = await import('@parley/telemetry')
    return telemetry(settings)
  } catch (error) {
    const { code } = error as { readonly code?: unknown } // an error of Node has one
    if (code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CliError(
      'error',
      'telemetry needs two more packages: npm install @parley/telemetry @opentelemetry/api where this command is installed',
    )
  }
}
