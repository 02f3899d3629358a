/** How often one host may be asked. */
export interface HostLimitOptions {
  /** At once, after a pause. */
  readonly burst: number
  /** Requests that may follow the burst, for each minute. */
  readonly perMinute: number
  /** @defaultValue `Date.now` */
  readonly now?: (() => number) | undefined
}

/** Counts a request to a host: zero if it may be made, else the milliseconds until it may. */
export type HostLimit = (host: string) => number

/** Hosts that are remembered; the one asked longest ago is forgotten first. */
const maxHosts = 1_000

/** Keeps a model in a loop from becoming a burden for somebody else. */
export function createHostLimit({ burst, perMinute, now = Date.now }: HostLimitOptions): HostLimit {
  const hosts = new Map<string, { readonly tokens: number; readonly at: number }>()
  const perMs = perMinute / 60_000

  return (host) => {
    const at = now()
    const before = hosts.get(host) ?? { tokens: burst, at }
    const tokens = Math.min(burst, before.tokens + (at - before.at) * perMs)
    const isAllowed = tokens >= 1
    hosts.delete(host)
    hosts.set(host, { tokens: isAllowed ? tokens - 1 : tokens, at })
    const [oldest] = hosts.keys()
    if (hosts.size > maxHosts && oldest !== undefined) hosts.delete(oldest)
    return isAllowed ? 0 : Math.ceil((1 - tokens) / perMs)
  }
}
