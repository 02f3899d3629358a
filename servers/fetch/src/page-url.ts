import { ToolError } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'
import { FetchError } from '@parley/server-kit/fetch'

import { describeRejection } from './failure.ts'

/**
 * The page somebody asked for. A password in it is refused here, before any message can repeat it, and so is a scheme
 * such as `data:`, before anybody looks for the robots.txt of a host it does not have.
 */
export function readPageUrl(address: string): URL {
  const url = parseUrl(address)
  if (url === undefined) {
    throw new ToolError(`Failed to fetch ${address}: it is not a URL with a scheme.`)
  }
  const error = formError(url)
  if (error) throw describeRejection(error.url, error)
  return url
}

function formError(url: URL): FetchError | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const scheme = url.protocol.slice(0, -1)
    return new FetchError('scheme', url, `its scheme is ${scheme}; only http and https are allowed`)
  }
  if (url.username === '' && url.password === '') return undefined
  return new FetchError('credentials', url, 'it contains a user name or password')
}

/** What somebody asked for, fit to be shown. */
export function showAddress(address: string): string {
  const url = parseUrl(address)
  if (url === undefined) return address
  if (url.username === '' && url.password === '') return address
  return Object.assign(url, { username: '', password: '' }).href
}
