import { parseUrl } from '../../../rpc/address/parse-url.ts'
import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { reachOf } from './host-reach.ts'
import type { HttpResponse, HttpHeaders, HttpRequest } from './http-request.ts'

/** In a row, before we take it for a loop. */
const maxRedirects = 5

/** Where a redirect sends us. Throws for one that must not be followed. */
export function redirectOf(
  answer: HttpResponse,
  { method, url }: Pick<HttpRequest, 'method' | 'url'>,
  subscribed: number,
  peer: string,
): URL {
  const { status } = answer
  if (status === 0) throw rejected(peer, 0, 'redirected, and this runtime does not say where')
  const location = answer.header('location')
  const target = location === undefined ? undefined : parseUrl(location, url)
  if (target === undefined) throw rejected(peer, status, 'redirected without a valid Location')
  const where = `${target.origin}${target.pathname}`
  if (subscribed === maxRedirects) {
    throw rejected(peer, status, `redirected more than ${maxRedirects} times`)
  }
  if (status < 307 && method !== 'GET') {
    throw rejected(
      peer,
      status,
      `redirected to ${where} in a way (${status}) that turns a POST into a GET`,
      `Connect to ${where} directly.`,
    )
  }
  if (!isAllowed(url, target))
    throw rejected(peer, status, `redirected to ${where}, which is unsafe`)
  return target
}

/** The headers of a request at the address it was redirected to. Another origin gets no credentials and no session id. */
export function headersAt(
  { origin }: URL,
  { url, headers }: Pick<HttpRequest, 'url' | 'headers'>,
): HttpHeaders {
  if (url.origin === origin) return headers
  // These only repeat what is in the body, which goes there too.
  const isPublic = /^(?:accept|content-type|mcp-protocol-version|mcp-method|mcp-name|mcp-param-.*)$/
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isPublic.test(name)))
}

/** Never to another scheme than HTTP, from TLS to none, or from elsewhere to this machine or its own network. */
function isAllowed(from: URL, to: URL): boolean {
  if (to.protocol !== 'https:' && to.protocol !== 'http:') return false
  if (from.protocol === 'https:' && to.protocol === 'http:') return false
  return reachOf(from.hostname) <= reachOf(to.hostname)
}

function rejected(peer: string, status: number, what: string, hint?: string): McpError {
  return new McpError('http_error', `${peer} ${what}`, {
    details: { status, excerpt: what },
    peer,
    hint: hint ?? 'Connect to the final address directly.',
  })
}
