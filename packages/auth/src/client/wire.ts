import { allowInsecureRequests, customFetch } from 'oauth4webapi'

import { createSafeFetch, type SafeFetchOptions } from '../shared/safe-fetch.ts'
import { isLoopbackHost } from '../shared/url-rules.ts'

/** How requests of one sign-in go out. */
export interface Wire {
  readonly fetch: typeof fetch
  /** The server is on this machine, so its issuer may be there too, without https. */
  readonly allowLoopback: boolean
  readonly signal: AbortSignal
}

/** Requests about one server; only a server on this machine may lead to others on it. */
export function createWire(
  serverUrl: URL,
  signal: AbortSignal,
  given: typeof fetch | undefined,
  network: SafeFetchOptions['network'],
): Wire {
  const allowLoopback = isLoopbackHost(serverUrl.hostname)
  const allowed = allowLoopback && network === 'public' ? 'loopback' : network
  return { fetch: given ?? createSafeFetch({ network: allowed }), allowLoopback, signal }
}

/** The same for the OAuth library, whose answers pass through `normalize`. */
export function libraryOptions(
  { fetch, allowLoopback, signal }: Wire,
  normalize: (response: Response) => Promise<Response>,
) {
  return {
    [customFetch]: async (url: string, init: object) => normalize(await fetch(url, init)),
    [allowInsecureRequests]: allowLoopback,
    signal,
  }
}
