export { telemetry, type Telemetry, type TelemetryOptions } from './telemetry.ts'
export type { HostWatch, ModelEnding, TurnEnding, WatchedWork } from './host-watch.ts'
export type { RecordedValue, Redact } from './recorded-values.ts'
