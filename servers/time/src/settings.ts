import type { Temporal } from 'temporal-polyfill'

/** What the tools need to know. */
export interface TimeSettings {
  readonly now: () => Temporal.Instant
  /** The zone of whoever asks, unless they say another. */
  readonly localZone: string
}
