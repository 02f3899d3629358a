/** Milliseconds between two comments that keep an event stream open. */
export const DEFAULT_SSE_KEEP_ALIVE_MS = 15_000

/** A longer delay would be taken for 1 ms. */
const longestDelay = 2 ** 31 - 1

/** Starts a timer that does not keep the process; none for an interval below 1. */
export function armSseKeepAlive(
  intervalMs: number,
  onTick: () => void,
): ReturnType<typeof setInterval> | undefined {
  if (!(intervalMs >= 1) || intervalMs === Infinity) return undefined
  const timer = setInterval(onTick, Math.min(intervalMs, longestDelay))
  // A number in browsers.
  ;(timer as { unref?: () => void }).unref?.()
  return timer
}
