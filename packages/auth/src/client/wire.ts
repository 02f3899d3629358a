import { isLoopbackHost } from '@parley/mcp/address'
import { allowInsecureRequests, customFetch } from 'oauth4webapi'

import type { DocumentFetch } from '../shared/document-fetch.ts'
import { createSafeFetch, type SafeFetchOptions } from '../shared/safe-fetch.ts'

/** How requests of one sign-in go out: to this machine only if the server is on it. */
export type AuthHttp = DocumentFetch

/** Requests about one server; only a server on this machine may lead to others on it. */
export function createAuthHttp(
  serverUrl: URL,
  signal: AbortSignal,
  given: typeof fetch | undefined,
  network: SafeFetchOptions['network'],
): AuthHttp {
  const allowLoopback = isLoopbackHost(serverUrl.hostname)
  const allowed = allowLoopback && network === 'public' ? 'loopback' : network
  return { fetch: given ?? createSafeFetch({ network: allowed }), allowLoopback, signal }
}

/** The same for the OAuth library, whose answers pass through `normalize`. */
export function libraryOptions(
  { fetch, allowLoopback, signal }: AuthHttp,
  normalize: (response: Response) => Promise<Response>,
) {
  return {
    [customFetch]: async (url: string, init: object) => normalize(await fetch(url, init)),
    [allowInsecureRequests]: allowLoopback,
    signal,
  }
}
