/** The longest time that a store is asked to keep something. */
const maxMs = 10 * 365 * 24 * 3_600_000

/** A duration as stores take it: whole milliseconds, at least one. */
export function wholeMs(ms: number): number {
  return Math.min(maxMs, Math.max(1, Math.ceil(ms)))
}

/** A limit as stores take it, where there may be none at all. */
export function wholeCount(count: number): number {
  return Math.min(2 ** 50, Math.floor(count))
}
