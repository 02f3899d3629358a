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
const maxRedirects = 20

/** Says whether `to` has the origin of `from`, or is its `https` form with both on their default ports. */
export function isWithinOrigin(from: URL, to: URL): boolean {
  if (from.origin === to.origin && from.origin !== 'null') return true
  return (
    from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === ''
  )
}

/** Follows a redirect that stays within the origin of `url`; `undefined` if the response is to be used as it is. */
export function followWithinOrigin(
  baseFetch: FetchLike,
  url: string | URL,
  init: RequestInit | undefined,
  response: Response,
  followed = 0,
): Promise<Response> | undefined {
  if (!redirects.has(response.status) || followed >= maxRedirects) return undefined
  const location = response.headers?.get('location')
  if (!location) return undefined
  const from = new URL(url)
  let to: URL
  try {
    to = new URL(location, from)
  } catch {
    return undefined
  }
  if (!isWithinOrigin(from, to)) return undefined
  const next = redirectedInit(init, response.status)
  if (next === undefined) return undefined
  return (async () => {
    await response.body?.cancel()
    const answer = await baseFetch(to, next)
    return followWithinOrigin(baseFetch, to, next, answer, followed + 1) ?? answer
  })()
}

/** A POST becomes a GET where browsers do that. A body that was read once cannot be sent again. */
function redirectedInit(init: RequestInit | undefined, status: number): RequestInit | undefined {
  const method = (init?.method ?? 'GET').toUpperCase()
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST')
  if (!becomesGet) {
    if (init?.body instanceof ReadableStream) return undefined
    return { ...init, redirect: 'manual' }
  }
  const { body: _body, ...rest } = init ?? {}
  const headers = new Headers(init?.headers)
  for (const name of ['content-type', 'content-length', 'content-encoding', 'content-language']) {
    headers.delete(name)
  }
  return { ...rest, headers, method: 'GET', redirect: 'manual' }
}

const leavesRedirects = new WeakSet<FetchLike>()

/** Marks a `fetch` so that redirects are left to it. */
export function fetchLeavingRedirects(baseFetch: FetchLike = fetch): FetchLike {
  const wrapped: FetchLike = (url, init) => baseFetch(url, init)
  leavesRedirects.add(wrapped)
  return wrapped
}

/** Returns a `fetch` that follows redirects only within the origin of the request. */
export function fetchWithinOrigin(baseFetch: FetchLike = fetch): FetchLike {
  if (leavesRedirects.has(baseFetch)) return baseFetch
  return async (url, init) => {
    const response = await baseFetch(url, { ...init, redirect: 'manual' })
    return followWithinOrigin(baseFetch, url, init, response) ?? response
  }
}

/** Describes a redirect that was not followed, without credentials, query or fragment. */
export function unfollowedRedirect(
  response: Response,
  requestUrl: string | URL,
): string | undefined {
  if (response.type === 'opaqueredirect') return 'a redirect'
  if (!redirects.has(response.status)) return undefined
  const location = response.headers?.get('location')
  if (!location) return undefined
  try {
    const { origin, pathname } = new URL(location, requestUrl)
    return `a redirect to ${origin}${pathname}`
  } catch {
    return 'a redirect to an invalid address'
  }
}
