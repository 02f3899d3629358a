/**
 * Asks a registry that a user or operator has named, which may be anywhere, also in a private network. Where it redirects to is its
 * own choice: another origin must be https and public, and gets no credentials.
 */

import { classifyAddress } from '@parley/mcp/address'

/** Makes one request. */
export type Fetch = (request: Request) => Promise<Response>

const maxRedirects = 3

/** Answers a request of a registry. `send` makes all requests if it is given; by default, sockets of redirects are checked too. */
export async function fetchRegistry(request: Request, send?: Fetch): Promise<Response> {
  const first = new URL(request.url)
  const response = await (send ?? fetch)(new Request(request, { redirect: 'manual' }))
  if (response.status < 300 || response.status > 399) return response
  if (request.method !== 'GET') {
    await response.body?.cancel()
    throw refused(first, `it redirects a ${request.method}: use the address that it names`)
  }
  await response.body?.cancel()
  const { fetchChecked, fetchGuarded } = await import('@parley/auth/network')
  const isPublic = (address: string) => classifyAddress(address) === 'public'
  const notPublic = (host: string) => refused(first, `it redirects to ${host}, which is not public`)
  return fetchChecked(
    async (to, init) => {
      if (send !== undefined) return send(new Request(to, init))
      if (new URL(to).origin === first.origin) return fetch(to, init)
      return fetchGuarded(to, init, { isAllowed: isPublic, reject: notPublic })
    },
    first,
    { headers: request.headers, signal: request.signal },
    {
      maxRedirects,
      reject: (why) => refused(first, why),
      check({ origin, protocol, hostname, host, username, password }) {
        if (origin === first.origin) return
        if (protocol !== 'https:') throw refused(first, `it redirects to ${host} without TLS`)
        if (username !== '' || password !== '') {
          throw refused(first, `it redirects to ${host} with a user name or password`)
        }
        const kind = classifyAddress(hostname)
        if (kind !== undefined && kind !== 'public') throw notPublic(host)
      },
    },
  )
}

function refused({ host }: URL, why: string): Error {
  return new Error(`${host} is not followed: ${why}`)
}
