import { parseUrl } from '@parley/mcp/address'

import type { ApiRequest } from './build-request.ts'

/** The part of `fetch` that is used; a guarded one fits too. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** How a request is sent. */
export interface SendOptions {
  readonly fetch: Fetch
  readonly signal: AbortSignal
}

/** An answer came, or none. */
export type Sent = { readonly response: Response } | { readonly problem: string }

const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/** Sends a request. Redirects are followed within the same origin only: credentials and answers stay there. */
export async function sendRequest(request: ApiRequest, options: SendOptions): Promise<Sent> {
  let { url, method, body } = request
  const headers = new Headers(request.headers)
  for (let followed = 0; followed <= maxRedirects; followed++) {
    const response = await options.fetch(url.href, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: options.signal,
    })
    const { status } = response
    const location = redirects.has(status) ? response.headers.get('location') : null
    if (location === null) return { response }
    await response.body?.cancel().catch(() => undefined) // nobody reads it
    const target = parseUrl(location, url)
    if (target?.origin !== url.origin) {
      const where = target === undefined ? 'somewhere that is no URL' : target.origin
      return { problem: `it answered with a redirect to ${where}, which is not followed` }
    }
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead && status !== 307 && status !== 308) {
      if (status !== 303)
        return { problem: `it answered ${status}, a redirect, which is not followed for ${method}` }
      method = 'GET'
      body = undefined
      headers.delete('content-type')
    }
    url = target
  }
  return { problem: `it answered with more than ${maxRedirects} redirects` }
}
