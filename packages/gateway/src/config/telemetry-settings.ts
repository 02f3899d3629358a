import type { ConfigNode } from '@parley/foundation/config'

import type { ConfigReader } from './config-reader.ts'

/** What is told to OpenTelemetry. */
export interface TelemetrySettings {
  /** Also arguments and results of tools, without what is named like a secret. @defaultValue false */
  readonly values?: boolean | undefined
  /** Figures for Prometheus at `/metrics`, in place of OpenTelemetry. @defaultValue false */
  readonly metrics?: boolean | undefined
}

/** `telemetry: true`, `telemetry: { metrics: true }`, or `telemetry: { values: true }`. Undefined where nothing is to be told. */
export function readTelemetry(
  reader: ConfigReader,
  node: ConfigNode | undefined,
): TelemetrySettings | undefined {
  if (node === undefined || node.value === false) return undefined
  if (node.value === true) return {}
  const fields = reader.object(node, 'telemetry', ['values', 'metrics'])
  if (fields === undefined) return undefined
  const metrics = reader.boolean(fields, 'metrics', 'telemetry.metrics')
  return {
    values: reader.boolean(fields, 'values', 'telemetry.values'),
    ...(metrics !== undefined && { metrics }),
  }
}
