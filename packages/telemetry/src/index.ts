export { telemetry } from './telemetry.ts'
export type { HostWatch, ModelEnding, TurnEnding, WatchedWork } from './host-watch.ts'
export type { RecordedValue, Redact } from './recorded-values.ts'
export type { Telemetry, TelemetryOptions } from './telemetry.ts'
