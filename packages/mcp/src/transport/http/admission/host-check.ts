import { isLoopbackAddress } from '../../../rpc/address/ip-address.ts'
import { parseUrl } from '../../../rpc/address/parse-url.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { HttpHeaders } from '../runtime/exchange.ts'
import { publicUrl, readHosts, readOrigins } from './public-options.ts'

export interface HostCheckOptions {
  /** The public URL, whose host and origin are allowed. */
  readonly url?: string | URL | undefined
  readonly allowedHosts?: readonly string[] | undefined
  readonly allowedOrigins?: readonly string[] | '*' | undefined
  /**
   * Pages of this machine need not be named. Over HTTP that is harmless, because browsers let them read nothing without
   * CORS; over a WebSocket nothing but this check stands between. @defaultValue true
   */
  readonly trustsLoopbackPages?: boolean | undefined
}

/** Keeps web pages of other origins, and names that were bound to us behind our back, away from the endpoint. */
export interface HostCheck {
  /** Undefined when the request may go on. */
  rejection(host: string | undefined, origin: string | undefined): RpcError<'forbidden'> | undefined
  /** Named in `allowedOrigins`, so that its pages may also read the answers. */
  sharesWith(origin: string): boolean
}

export function createHostCheck(options: HostCheckOptions): HostCheck {
  const url = publicUrl(options)
  const { allowedHosts = [], allowedOrigins = [], trustsLoopbackPages = true } = options
  const hosts = new Set([...(url ? [url.host] : []), ...readHosts(allowedHosts)])
  const origins = readOrigins(allowedOrigins === '*' ? [] : allowedOrigins)
  const ownOrigin = url?.origin

  let lastAllowed: string | undefined // most requests of a server name the same

  function isAllowedHost(host: string): boolean {
    if (host === lastAllowed) return true
    const isAllowed = checkHost(host)
    if (isAllowed) lastAllowed = host
    return isAllowed
  }

  function checkHost(host: string): boolean {
    const lower = host.toLowerCase()
    return hosts.has(lower) || hosts.has(nameOf(lower)) || isLoopbackAddress(nameOf(lower))
  }

  function sharesWith(origin: string): boolean {
    return allowedOrigins === '*' || origins.has(origin.toLowerCase())
  }

  return {
    sharesWith,
    rejection(host, origin) {
      if (host === undefined || !isAllowedHost(host)) {
        return reject('Host', host ?? 'nothing', 'allowedHosts')
      }
      if (origin === undefined || origin === ownOrigin) return undefined
      if (sharesWith(origin) || isSameOrigin(origin, host)) return undefined
      if (trustsLoopbackPages && isLoopbackOrigin(origin)) return undefined
      return reject('Origin', origin, 'allowedOrigins')
    },
  }
}

/** A page of the very server it talks to; the host has been checked. */
function isSameOrigin(origin: string, host: string): boolean {
  return parseUrl(origin)?.host === host.toLowerCase()
}

function isLoopbackOrigin(origin: string): boolean {
  const url = parseUrl(origin)
  if (url === undefined) return false // also the opaque origin `null`
  const { protocol, hostname } = url
  return (protocol === 'http:' || protocol === 'https:') && isLoopbackAddress(hostname)
}

/** A host without its port; an IPv6 address keeps its brackets. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '')
}

function reject(header: 'Host' | 'Origin', seen: string, option: string): RpcError<'forbidden'> {
  const shown = seen.slice(0, 200)
  return new RpcError(
    'forbidden',
    `${header} ${shown} is not allowed here; name it in ${option} if it should be`,
    {
      data: { header, seen: shown, option },
    },
  )
}

/** Headers that a page may send and read, for preflights. */
const methods = 'GET, POST, DELETE, OPTIONS'
const requestHeaders = [
  'accept',
  'authorization',
  'content-type',
  'dpop',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]
const responseHeaders =
  'Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate, Retry-After, Last-Event-Id'

/** Headers for an answer of any status; none unless the origin was named. */
export function corsHeaders(check: HostCheck, origin: string | undefined): HttpHeaders {
  if (origin === undefined || !check.sharesWith(origin)) return noCors
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': responseHeaders,
    vary: 'Origin',
  }
}

/** The same for all requests that are not of a page, which are most. */
export const noCors: HttpHeaders = Object.freeze({})

/** Headers for the answer to a preflight. */
export function preflightHeaders(requested: string | undefined): Record<string, string> {
  const extra = (requested ?? '')
    .split(',', 64)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => /^mcp-param-[a-z0-9-]{1,64}$/.test(name))
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [...requestHeaders, ...extra].join(', '),
    'access-control-max-age': '86400',
  }
}
