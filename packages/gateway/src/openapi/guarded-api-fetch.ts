import { fetchGuarded } from '@parley/auth/network'
import { classifyAddress, parseUrl } from '@parley/mcp/address'
import type { Fetch } from '@parley/tools/openapi'

import { networkFor } from '../identity/outgoing-credentials.ts'

/**
 * Goes where the configuration says: an API on the network never leads to an address of this machine or of the network
 * behind it, whatever its name comes to mean. One that the file itself puts there may.
 */
export function createApiFetch(configured: string | undefined): Fetch {
  const home = configured === undefined ? undefined : parseUrl(configured)?.hostname
  return (url, init) => {
    const { hostname } = new URL(url)
    const isOwn = hostname === home && networkFor(url) === 'any'
    return fetchGuarded(url, init, {
      isAllowed: (address) => isOwn || classifyAddress(address) === 'public',
      refuse: (name, address) =>
        new Error(`${name} has the address ${address}, which is not public: name it in baseUrl`),
    })
  }
}
