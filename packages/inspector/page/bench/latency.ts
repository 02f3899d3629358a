/** A latency with the digits a measurement has. */
export function formatLatency(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`
  if (ms < 10) return `${ms.toFixed(2)} ms`
  if (ms < 1000) return `${ms.toFixed(ms < 100 ? 1 : 0)} ms`
  return `${(ms / 1000).toFixed(2)} s`
}
