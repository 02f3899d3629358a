import type { JsonObject } from '../../schema/json.ts'
import type { ClientStatus } from '../options.ts'

/** The link between a client and the transport that it opened, besides messages. */
export interface TransportLink {
  /** True if the client needs messages that belong to no call; over HTTP they need a stream of their own. */
  needsStream(): boolean
  /** `listener` is called when that may have changed; it resolves when the stream is open or known not to come. */
  onNeed(listener: () => Promise<void> | void): void
  /** How the channel fares, each time that changes. It began as ready. */
  onHealth(health: TransportHealth): void
  /** Messages that belong to no call may have been missed. */
  onGap(): void
  /** Headers that repeat arguments of a tool, as its schema says. Only in the modern era. */
  paramHeaders?(name: string, args: JsonObject): { readonly [header: string]: string }
}

/** A channel that lives on may still have lost its stream of notifications, or wait for a server that is away. */
export type TransportHealth = Extract<
  ClientStatus,
  { readonly state: 'ready' | 'degraded' | 'reconnecting' }
>
