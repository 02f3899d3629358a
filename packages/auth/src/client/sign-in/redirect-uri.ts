import { isLoopbackHost } from '@parley/mcp/address'

import { parseUrl } from '../../shared/url-rules.ts'

/** Throws unless the redirect is https or on this machine, which is all the specification allows. */
export function requireRedirectUri(redirectUri: string): void {
  const url = parseUrl(redirectUri)
  const isLocal = url?.protocol === 'http:' && isLoopbackHost(url.hostname)
  const isPlain = url?.hash === '' && url.username === '' && url.password === ''
  if (isPlain && (url.protocol === 'https:' || isLocal)) return
  throw new TypeError(`redirectUri must be https or on localhost: ${redirectUri}`)
}
