/** What is known of a request before it is looked at. */
interface Arrival {
  /** By its lower-case name. */
  header(name: string): string | undefined
  /** Absent where the runtime does not say. */
  readonly remoteAddress?: string | undefined
}

/** By which name a request came, and from where, with proxies between. */
export interface Forwarding {
  hostOf(arrival: Arrival): string | undefined
  /** Behind proxies that are believed, the last address they do not stand for themselves. */
  addressOf(arrival: Arrival): string | undefined
}

/** Believes the headers of named proxies, and of nobody else. */
export function createForwarding(trustedProxies: readonly string[] = []): Forwarding {
  const trusted = new Set(trustedProxies.map(plainAddress))
  const isTrusted = (address: string | undefined) =>
    address !== undefined && trusted.has(plainAddress(address))

  return {
    hostOf(arrival) {
      const forwarded =
        trusted.size > 0 && isTrusted(arrival.remoteAddress)
          ? arrival.header('x-forwarded-host')
          : undefined
      // The last entry is what the nearest proxy wrote; those before it may be the client's own.
      return forwarded?.split(',').at(-1)?.trim() ?? arrival.header('host')
    },
    addressOf(arrival) {
      const { remoteAddress } = arrival
      if (trusted.size === 0 || !isTrusted(remoteAddress)) return remoteAddress
      const hops = arrival.header('x-forwarded-for')?.split(',') ?? []
      return hops.map((hop) => hop.trim()).findLast((hop) => hop !== '' && !isTrusted(hop))
    },
  }
}

/** IPv4 as IPv4, also where the socket listens on IPv6. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
