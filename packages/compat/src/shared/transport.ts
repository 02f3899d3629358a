/** The contract of transports, and how both HTTP client transports make their requests. */

import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '../types.ts'

/** The argument of `new Headers`; not every set of Node's types has it as a global. */
type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>

export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Options of one message. */
export type TransportSendOptions = {
  /** The received request that this message belongs to. */
  relatedRequestId?: RequestId | undefined
  /** Continues a request that was interrupted. */
  resumptionToken?: string | undefined
  /** Is called with each new token. */
  onresumptiontoken?: ((token: string) => void) | undefined
}

/** A channel for messages to one peer. */
export interface Transport {
  /** Starts to receive. Callbacks have to be set before. */
  start(): Promise<void>
  /** Sends a message. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>
  /** Closes the channel. */
  close(): Promise<void>
  /** Is called when the channel is closed, by `close` too. */
  onclose?: (() => void) | undefined
  /** Is called for errors that are not necessarily the end. */
  onerror?: ((error: Error) => void) | undefined
  /** Is called for each message. */
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined
  /** The id of the session, where there is one. */
  sessionId?: string | undefined
  /** Is called with the negotiated revision. */
  setProtocolVersion?: ((version: string) => void) | undefined
}

/** Returns headers as a plain object. */
export function normalizeHeaders(headers: HeadersInit | undefined): Record<string, string> {
  if (!headers) return {}
  if (headers instanceof Headers) return Object.fromEntries(headers.entries())
  if (Array.isArray(headers)) return Object.fromEntries(headers) as Record<string, string>
  return { ...(headers as Record<string, string>) }
}

/** Returns a `fetch` that adds these options to each request; headers are merged. */
export function createFetchWithInit(
  baseFetch: FetchLike = fetch,
  baseInit?: RequestInit,
): FetchLike {
  if (!baseInit) return baseFetch
  return (url, init) =>
    baseFetch(url, {
      ...baseInit,
      ...init,
      headers: init?.headers
        ? { ...normalizeHeaders(baseInit.headers), ...normalizeHeaders(init.headers) }
        : baseInit.headers,
    })
}

const redirects = new Set([301, 302, 303, 307, 308])
const maxRedirects = 5

/** Says whether `to` has the origin of `from`, or is its `https` form with both on their default ports. */
export function isWithinOrigin(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false
  if (from.protocol === to.protocol && from.port === to.port) return true
  const isDefault = from.port === '' && to.port === ''
  return isDefault && from.protocol === 'http:' && to.protocol === 'https:'
}

function redirectTarget(response: Response, requestUrl: string | URL): URL | undefined {
  if (!redirects.has(response.status)) return undefined
  const location = response.headers.get('location')
  try {
    return location ? new URL(location, requestUrl) : undefined
  } catch {
    return undefined
  }
}

/**
 * Follows a redirect that stays within the origin of `url`; `undefined` if the response is to be used as it is: where the method would
 * change, credentials would be added, or after too many.
 */
export function followWithinOrigin(
  baseFetch: FetchLike,
  url: string | URL,
  init: RequestInit | undefined,
  response: Response,
  followed = 0,
): Promise<Response> | undefined {
  const to = redirectTarget(response, url)
  const isGet = (init?.method ?? 'GET').toUpperCase() === 'GET'
  const keepsMethod = isGet || response.status === 307 || response.status === 308
  if (!to || !keepsMethod || followed === maxRedirects) return undefined
  const from = new URL(url)
  const hasUser = to.username !== '' || to.password !== ''
  const addsUser = hasUser && (to.username !== from.username || to.password !== from.password)
  if (addsUser || !isWithinOrigin(from, to)) return undefined
  return (async () => {
    await response.body?.cancel()
    const answer = await baseFetch(to, { ...init, redirect: 'manual' })
    return followWithinOrigin(baseFetch, to, init, answer, followed + 1) ?? answer
  })()
}

const leavesRedirects = new WeakSet<FetchLike>()

/** Marks a `fetch` so that redirects are left to it. */
export function fetchLeavingRedirects(baseFetch: FetchLike = fetch): FetchLike {
  const wrapped: FetchLike = (url, init) => baseFetch(url, init)
  leavesRedirects.add(wrapped)
  return wrapped
}

/** Returns a `fetch` that follows redirects only within the origin of the request, unless the request says what to do. */
export function fetchWithinOrigin(baseFetch: FetchLike = fetch): FetchLike {
  if (leavesRedirects.has(baseFetch)) return baseFetch
  return async (url, init) => {
    if (init?.redirect === 'error' || init?.redirect === 'manual') return baseFetch(url, init)
    const response = await baseFetch(url, { ...init, redirect: 'manual' })
    return followWithinOrigin(baseFetch, url, init, response) ?? response
  }
}

/** Describes a redirect that was not followed, without credentials, query or fragment. */
export function unfollowedRedirect(
  response: Response,
  requestUrl: string | URL,
): string | undefined {
  if (response.type === 'opaqueredirect') {
    return 'Redirect not followed: this runtime does not expose the redirect target'
  }
  const from = response.url || requestUrl
  const to = redirectTarget(response, from)
  if (!to) return undefined
  to.username = ''
  to.password = ''
  to.search = ''
  to.hash = ''
  if (to.protocol === 'http:' && new URL(from).protocol === 'https:') {
    to.protocol = 'https:'
    return `Redirect to plain http not followed; try ${to.href} instead`
  }
  return `Redirect to ${to.href} not followed`
}
