import { parseUrl } from '../../../rpc/address/parse-url.ts'
import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { reachOf } from './host-reach.ts'
import type { HttpAnswer, HttpCall } from './http-request.ts'

/** In a row, before we take it for a loop. */
const mostRedirects = 5

/** Where a redirect sends us. Throws for one that must not be followed. */
export function redirectOf(
  answer: HttpAnswer,
  { method, url }: Pick<HttpCall, 'method' | 'url'>,
  followed: number,
  peer: string,
): URL {
  const { status } = answer
  if (status === 0) throw refused(peer, 0, 'redirected, where this runtime does not say')
  const location = answer.header('location')
  const target = location === undefined ? undefined : parseUrl(location, url)
  if (target === undefined) throw refused(peer, status, 'redirected to no address')
  const where = `${target.origin}${target.pathname}`
  if (followed === mostRedirects) {
    throw refused(peer, status, `redirected more than ${mostRedirects} times`)
  }
  if (status < 307 && method !== 'GET') {
    throw refused(
      peer,
      status,
      `redirected to ${where} in a way (${status}) that turns a POST into a GET`,
      `Connect to ${where} directly.`,
    )
  }
  if (!isAllowed(url, target))
    throw refused(peer, status, `redirected to ${where}, which is unsafe`)
  return target
}

/** Never to another scheme than HTTP, from TLS to none, or from elsewhere to this machine or its own network. */
function isAllowed(from: URL, to: URL): boolean {
  if (to.protocol !== 'https:' && to.protocol !== 'http:') return false
  if (from.protocol === 'https:' && to.protocol === 'http:') return false
  return reachOf(from.hostname) <= reachOf(to.hostname)
}

function refused(peer: string, status: number, what: string, hint?: string): McpError {
  return new McpError('http_error', `${peer} ${what}`, {
    details: { status, excerpt: what },
    peer,
    hint: hint ?? 'Connect to the final address directly.',
  })
}
