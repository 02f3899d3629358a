/** Each refusal names the limit, what was seen, and this option. */
export interface Limits {
  /** @defaultValue 4 MiB over HTTP and WebSocket, 64 MiB over stdio and in process */
  readonly messageBytes?: number | undefined
  /** @defaultValue 128 */
  readonly depth?: number | undefined
  /** Members of one object or array. @defaultValue 100_000 */
  readonly members?: number | undefined
  /** Values of one message in all; an empty object or array counts as if it had one member. @defaultValue 500_000 */
  readonly values?: number | undefined
  /** Messages in one batch. @defaultValue 1_000 */
  readonly batchMessages?: number | undefined
  /** All answers to one batch together. @defaultValue 16 MiB */
  readonly batchBytes?: number | undefined
  /** Requests of one caller at once. @defaultValue 1_000 */
  readonly inFlight?: number | undefined
  /** Bytes of memory that one caller may use in a server. @defaultValue 64 MiB, or four times `messageBytes` */
  readonly callerBytes?: number | undefined
  /** Bytes of memory that all callers together may use in a server. @defaultValue 512 MiB, or four times `callerBytes` */
  readonly totalBytes?: number | undefined
  /** Size of a client's description of itself at `initialize`, as JSON. @defaultValue 32 KiB */
  readonly clientBytes?: number | undefined
  /** Queued for a peer that reads slowly. @defaultValue 1 MiB */
  readonly bufferedBytes?: number | undefined
  /** One person's time to answer. @defaultValue 600_000 */
  readonly inputMs?: number | undefined
  /** How often one call may ask before it ends, where asking means calling again. @defaultValue 16 */
  readonly rounds?: number | undefined
  /** Size of the encrypted state that one call may have its client keep between rounds. @defaultValue 32 KiB */
  readonly stateBytes?: number | undefined
  /** Pages of one list that a client reads. @defaultValue 1_000 */
  readonly listPages?: number | undefined
  /** Items of one list that a client reads. @defaultValue 100_000 */
  readonly listItems?: number | undefined
  /** All pages of one list after the first, as a client reads them. @defaultValue 64 MiB */
  readonly listBytes?: number | undefined
}

export const defaultLimits = {
  messageBytes: 64 * 1024 * 1024,
  depth: 128,
  members: 100_000,
  values: 500_000,
  batchMessages: 1_000,
  inFlight: 1_000,
  bufferedBytes: 1024 * 1024,
  inputMs: 600_000,
  rounds: 16,
  stateBytes: 32 * 1024,
  listPages: 1_000,
  listItems: 100_000,
  listBytes: 64 * 1024 * 1024,
} as const satisfies ResolvedLimits

/** `messageBytes` over the network, where a message is a stranger's. */
export const networkMessageBytes = 4 * 1024 * 1024

/** Limits that only servers have. */
type OfServers = 'batchBytes' | 'callerBytes' | 'totalBytes' | 'clientBytes'

/** Every limit that both sides have, with its value. */
export type ResolvedLimits = { readonly [Limit in Exclude<keyof Limits, OfServers>]-?: number }

/** Returns the limits of the user, with our defaults for the rest. */
export function resolveLimits(limits: Limits = {}): ResolvedLimits {
  const set = Object.entries(limits).filter(([, value]) => value !== undefined)
  return { ...defaultLimits, ...Object.fromEntries(set) }
}

/** Every limit of a server with its value. */
export type ServerLimits = { readonly [Limit in keyof Limits]-?: number }

const megabyte = 1024 * 1024

/** Returns the limits of the user, with our defaults for the rest. Longer messages raise the defaults for memory. */
export function resolveServerLimits(limits: Limits = {}): ServerLimits {
  const { messageBytes = 0, batchBytes, clientBytes } = limits
  const callerBytes = limits.callerBytes ?? Math.max(64 * megabyte, 4 * messageBytes)
  return {
    ...resolveLimits(limits),
    batchBytes: batchBytes ?? 16 * megabyte,
    callerBytes,
    totalBytes: limits.totalBytes ?? Math.max(512 * megabyte, 4 * callerBytes),
    clientBytes: clientBytes ?? 32 * 1024,
  }
}
