import { classifyAddress } from '@parley/mcp/address'

import { FetchError } from './fetch-error.ts'
import { createHostList, plainHost, type HostList } from './host-list.ts'

/** Which places may be asked. */
export interface DestinationOptions {
  /**
   * Also addresses that are not public: this machine, private networks, link-local ones. A list of hosts allows it for
   * these and what is below them only.
   * @defaultValue false
   */
  readonly allowPrivate?: boolean | readonly string[] | undefined
  /** Only these hosts and what is below them. @defaultValue all */
  readonly allowHosts?: readonly string[] | undefined
  /** Never these hosts, nor what is below them. @defaultValue none */
  readonly denyHosts?: readonly string[] | undefined
}

/** Judges a URL before it is asked, and each address its name turns out to have. */
export interface DestinationRules {
  /** Throws if the URL must not be asked, whatever its name leads to. */
  check(url: URL): void
  isAllowed(address: string, hostname: string): boolean
  /** What to say of an address that is not allowed. */
  refuse(url: URL, address: string): FetchError
}

/** Rules that hold for the first URL as for every redirect. */
export function createDestinationRules(options: DestinationOptions = {}): DestinationRules {
  const { allowPrivate = false, allowHosts, denyHosts = [] } = options
  const isListed = allowHosts === undefined ? () => true : createHostList(allowHosts)
  const isDenied = createHostList(denyHosts)
  const mayBePrivate = privateRule(allowPrivate)

  function isAllowed(address: string, hostname: string): boolean {
    return !isDenied(address) && (classifyAddress(address) === 'public' || mayBePrivate(hostname))
  }

  return {
    isAllowed,
    refuse: (url, address) =>
      isDenied(address)
        ? new FetchError('denyHosts', url, `it leads to ${address}, which is denied`)
        : rejectAddress(url, address),
    check(url) {
      rejectForm(url)
      const host = plainHost(url.hostname)
      if (isDenied(host)) throw new FetchError('denyHosts', url, `${host} is a denied host`)
      if (!isListed(host)) {
        throw new FetchError('allowHosts', url, `${host} is not one of the allowed hosts`)
      }
      const isThisMachine = host === 'localhost' || host.endsWith('.localhost')
      const isPrivate = isThisMachine || (classifyAddress(host) ?? 'public') !== 'public'
      if (isPrivate && !mayBePrivate(host)) throw rejectAddress(url, host)
    },
  }
}

function rejectAddress(url: URL, address: string): FetchError {
  const host = plainHost(url.hostname)
  const leads = host === plainHost(address) ? host : `${host} leads to ${address}, which`
  return new FetchError('allowPrivate', url, `${leads} is not an address of the public internet`)
}

function rejectForm(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const scheme = url.protocol.slice(0, -1)
    throw new FetchError('scheme', url, `its scheme is ${scheme}; only http and https are allowed`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchError('credentials', url, 'it contains a user name or password')
  }
}

function privateRule(allowPrivate: boolean | readonly string[]): HostList {
  return typeof allowPrivate === 'boolean' ? () => allowPrivate : createHostList(allowPrivate)
}
