export { telemetry } from './telemetry.ts'
export type { RecordedValue, Redact } from './recorded-values.ts'
export type { TelemetryOptions } from './telemetry.ts'
