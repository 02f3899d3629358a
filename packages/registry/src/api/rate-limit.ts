/** Requests of one caller in a burst, and for each minute. */
export interface RateLimit {
  /** At once, after a pause. */
  readonly burst: number
  /** After the burst, for each minute. */
  readonly perMinute: number
}

/** Callers that are remembered; the one seen longest ago is forgotten first. */
const maxCallers = 10_000

/** Counts a request: zero if it may be answered, else the seconds until it may. */
export function createRateLimit({ burst, perMinute }: RateLimit, now: () => number) {
  const callers = new Map<string, { readonly left: number; readonly at: number }>()
  const perMs = perMinute / 60_000
  return (caller: string): number => {
    const at = now()
    const before = callers.get(caller) ?? { left: burst, at }
    const left = Math.min(burst, before.left + Math.max(0, at - before.at) * perMs)
    const isAllowed = left >= 1
    callers.delete(caller)
    callers.set(caller, { left: isAllowed ? left - 1 : left, at })
    const [oldest] = callers.keys()
    if (callers.size > maxCallers && oldest !== undefined) callers.delete(oldest)
    return isAllowed ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1000))
  }
}
