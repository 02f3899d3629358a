import { parseAddressRange } from '../../../rpc/address/ip-address.ts'
import { invalidOption, requireList } from './public-options.ts'

/** The proxies in front of a server whose `X-Forwarded-…` headers are believed. */
export interface TrustedProxies {
  /** Whether the address of a connection, or of an entry in `X-Forwarded-For`, belongs to one of them. */
  isTrusted(address: string | undefined): boolean
  /**
   * Returns the caller's address: that of the connection, or behind proxies the last entry of `X-Forwarded-For` that is not
   * one of theirs. If all entries are proxies, the first of them is the caller. Undefined when no address is known.
   */
  callerAddress(
    remoteAddress: string | undefined,
    forwardedFor: string | undefined,
  ): string | undefined
}

/** Reads addresses and ranges such as `10.0.0.0/8` and `fd00::/8`. Throws `invalid_definition` for any other text. */
export function createTrustedProxies(proxies: readonly string[] = []): TrustedProxies {
  const ranges = requireList('trustedProxies', proxies).map(readProxy)

  function isTrusted(address: string | undefined): boolean {
    return address !== undefined && ranges.some((range) => range.includes(address))
  }

  return {
    isTrusted,
    callerAddress(remoteAddress, forwardedFor) {
      if (!isTrusted(remoteAddress)) return remoteAddress
      const hops = (forwardedFor ?? '').split(',').flatMap((hop) => hop.trim() || [])
      return hops.findLast((hop) => !isTrusted(hop)) ?? hops[0]
    },
  }
}

function readProxy(proxy: string): NonNullable<ReturnType<typeof parseAddressRange>> {
  const range = parseAddressRange(proxy)
  if (range !== undefined) return range
  throw invalidOption(
    'trustedProxies',
    `trustedProxies: ${JSON.stringify(proxy)} is neither an address nor a range`,
    'Write 192.0.2.7, or a range: 10.0.0.0/8, fd00::/8.',
  )
}
