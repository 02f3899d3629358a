import { parseUrl } from '@parley/mcp/address'

/** One request without redirects by way of a proxy, which finds the address of the host by itself. */
export type ProxyFetch = (url: string, init: RequestInit) => Promise<Response>

/** The client is loaded when the first request is made: who has no proxy does without. */
export function createProxyFetch(proxyUrl: string): ProxyFetch {
  // Not shown, since it may hold a password.
  if (!/^https?:$/.test(parseUrl(proxyUrl)?.protocol ?? '')) {
    throw new TypeError('The URL of the proxy must begin with http:// or https://')
  }
  const client = once(async () => {
    const { fetch: fetchVia, ProxyAgent } = await import('undici')
    return { fetchVia, dispatcher: new ProxyAgent({ uri: proxyUrl, proxyTunnel: false }) }
  })
  return async (url, { headers, method = 'GET', signal }) => {
    const { fetchVia, dispatcher } = await client()
    return fetchVia(url, {
      method,
      headers: [...new Headers(headers)],
      signal: signal ?? null,
      redirect: 'manual',
      dispatcher,
    })
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
