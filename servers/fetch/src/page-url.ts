import { ToolError } from '@parley/mcp'
import { FetchError } from '@parley/server-kit/fetch'

import { describeRefusal } from './failure.ts'

/** The page somebody asked for. One with a password in it is refused here, before any message can repeat it. */
export function readPageUrl(address: string): URL {
  if (!URL.canParse(address)) {
    throw new ToolError(`Failed to fetch ${address}: it is not a URL with a scheme.`)
  }
  const url = new URL(address)
  if (url.username === '' && url.password === '') return url
  const error = new FetchError('credentials', url, 'it holds a user name or password')
  throw describeRefusal(error.url, error)
}

/** What somebody asked for, fit to be shown. */
export function showAddress(address: string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  if (url.username === '' && url.password === '') return address
  return Object.assign(url, { username: '', password: '' }).href
}
