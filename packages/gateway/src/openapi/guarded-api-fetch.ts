import { fetchGuarded } from '@parley/auth/network'
import { classifyAddress, parseUrl } from '@parley/mcp/address'
import type { OpenApiFetch } from '@parley/tools/openapi'

import { networkFor } from '../identity/outgoing-credentials.ts'
import type { OpenApiEntry } from './openapi-entry.ts'

/** Which origins an entry of the file names itself; all others are the choice of the document. */
export interface NamedOrigins {
  /** Those of `baseUrl`, or of the document's own address, and of `hosts`. */
  has(url: URL): boolean
}

/** Reads them from an entry. */
export function namedOrigins({ baseUrl, hosts = [], openapi }: OpenApiEntry): NamedOrigins {
  const home = parseUrl(baseUrl ?? ('url' in openapi ? openapi.url : ''))
  return {
    has: (url) =>
      url.origin === home?.origin ||
      (hosts.includes(url.host) && ['https:', home?.protocol].includes(url.protocol)),
  }
}

/**
 * Sends requests to public addresses, whatever a name comes to mean. A private address is reached where the file names it,
 * as an address or as a name that only a private network has, and with `allowPrivate` by any name that the file has.
 */
export function createApiFetch(named: NamedOrigins, allowPrivate = false): OpenApiFetch {
  return (text, init) => {
    const url = new URL(text)
    const mayBePrivate = named.has(url) && (allowPrivate || networkFor(text) === 'any')
    return fetchGuarded(text, init, {
      isAllowed: (address) => mayBePrivate || classifyAddress(address) === 'public',
      reject: (name, address) => new Error(rejection(url, name, address, named.has(url))),
    })
  }
}

function rejection(url: URL, name: string, address: string, isNamed: boolean): string {
  const seen = name === address ? name : `${name} has the address ${address}, which`
  const line = isNamed ? 'allowPrivate: true' : `baseUrl, with the host ${url.host}`
  return `${seen} is not public: if the request may go there, add ${line} to the server in the gateway's file`
}
