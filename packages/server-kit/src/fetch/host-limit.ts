import { createTokenBuckets } from '@parley/mcp/internal'

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

/** Keeps a model in a loop from becoming a burden for a host. */
export function createHostLimit({ burst, perMinute, now = Date.now }: HostLimitOptions): HostLimit {
  const buckets = createTokenBuckets({ now }, { burst, perSecond: perMinute / 60 }, maxHosts)
  return (host) => (buckets.take(host) ? 0 : Math.ceil(buckets.waitMs(host)))
}
