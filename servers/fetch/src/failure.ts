import { ToolError } from '@parley/mcp'
import { parseUrl } from '@parley/mcp/address'
import type { FetchError, FetchRule } from '@parley/server-kit/fetch'

/** How whoever runs the server changes a rule. */
const fixes: { readonly [Rule in FetchRule]?: string } = {
  allowPrivate: 'Start the server with --allow-private-ips to allow it.',
  allowHosts: 'The server was started with --allow-host for other hosts.',
  denyHosts: 'The server was started with --deny-host for it.',
  maxBytes: 'Start the server with a larger --max-bytes to read it.',
  timeoutMs: 'Start the server with a longer --timeout to wait for it.',
}

/** What the guard said, in words of this program. */
export function describeRejection(url: string, error: FetchError): ToolError {
  // Another place only by a redirect; robots.txt stands for its page.
  const where = isSameHost(error.url, url) ? '' : `at ${error.url}, `
  const fix = fixes[error.rule] ?? (error.rule === 'credentials' ? error.hint : undefined)
  const text = [`Failed to fetch ${url}: ${where}${error.reason}.`, fix].filter(Boolean).join(' ')
  return new ToolError(text, { cause: error })
}

function isSameHost(a: string, b: string): boolean {
  return parseUrl(a)?.host === new URL(b).host
}
