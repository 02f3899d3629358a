import { parseUrl } from '../../../rpc/address/parse-url.ts'
import { McpError } from '../../../rpc/errors/mcp-error.ts'
import { basicAuthorization } from './headers.ts'
import { reachOf, reaches } from './host-reach.ts'

/** Variables of the environment, as `process.env` has them. */
export type Environment = { readonly [name: string]: string | undefined }

/**
 * The proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name for an address, in either case. Addresses of this
 * machine never go through one: it could not reach them.
 */
export function proxyFor(url: URL, environment: Environment): URL | undefined {
  if (reachOf(url.hostname) === reaches.machine) return undefined
  if (isExcluded(url, read(environment, 'no_proxy'))) return undefined
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = read(environment, name)
  if (proxy === undefined || proxy === '') return undefined
  const address = proxy.includes('://') ? proxy : `http://${proxy}`
  const parsed = /^https?:/i.test(address) ? parseUrl(address) : undefined
  if (parsed !== undefined) return parsed
  // The value is not shown: it may have a password in it.
  throw new McpError('invalid_target', `the variable ${name} names no proxy of HTTP`, {
    details: { target: name },
    hint: `Set it to http://host:port, or leave ${url.host} out by no_proxy.`,
  })
}

/** `Proxy-Authorization` for a proxy whose address has a user in it. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '') return undefined
  return basicAuthorization(username, password)
}

function read(environment: Environment, name: string): string | undefined {
  return (environment[name] ?? environment[name.toUpperCase()])?.trim()
}

/** A name stands for itself and its subdomains, with a port for that port only; `*` for everything. */
function isExcluded({ hostname, port, protocol }: URL, list = ''): boolean {
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (onlyPort !== undefined && onlyPort !== ownPort) return false
      const suffix = name.replace(/^\*?\./, '')
      return hostname === suffix || hostname.endsWith(`.${suffix}`)
    })
}
