import type { HttpHeaders } from '../runtime/exchange.ts'
import type { HostCheck } from './host-check.ts'

/** What a page may send and read; preflights are answered from this. */
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
