/** The limits above which a listener refuses. */
export interface ListenerLimits {
  /** @defaultValue 4 MiB */
  readonly bodyBytes: number
  /** @defaultValue 16 KiB */
  readonly headerBytes: number
  /** At once, WebSockets included. @defaultValue 256 */
  readonly sockets: number
  /** A connection on which nothing is asked. @defaultValue 5_000 */
  readonly idleMs: number
  /** Until all headers are there. @defaultValue 10_000 */
  readonly headersMs: number
  /** Until the whole request is there. @defaultValue 30_000 */
  readonly requestMs: number
  /** Requests in a burst, and for each second. @defaultValue 400 and 100 */
  readonly burst: number
  /** Requests that may follow a burst, for each second. */
  readonly perSecond: number
  /** Requests that were not let in, likewise. @defaultValue 30 and 1 */
  readonly rejectedBurst: number
  /** Refused requests that may follow their burst, for each second. */
  readonly rejectedPerSecond: number
  /** How long a ticket for a WebSocket is good. @defaultValue 30_000 */
  readonly ticketMs: number
}

/** Enough for one person and their programs. */
export const defaultLimits: ListenerLimits = {
  bodyBytes: 4 * 1024 * 1024,
  headerBytes: 16 * 1024,
  sockets: 256,
  idleMs: 5_000,
  headersMs: 10_000,
  requestMs: 30_000,
  burst: 400,
  perSecond: 100,
  rejectedBurst: 30,
  rejectedPerSecond: 1,
  ticketMs: 30_000,
}

/** True while there is room for one more. */
export type Allowance = () => boolean

/** Fills steadily up to a burst; each use takes one. */
export function createAllowance(
  burst: number,
  perSecond: number,
  now: () => number = Date.now,
): Allowance {
  let left = burst
  let last = now()
  return () => {
    const at = now()
    left = Math.min(burst, left + ((at - last) / 1000) * perSecond)
    last = at
    if (left < 1) return false
    left -= 1
    return true
  }
}
