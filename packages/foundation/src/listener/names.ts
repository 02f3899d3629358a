import { isLoopbackAddress, parseUrl } from '@parley/mcp/address'

/** Which names this listener answers to, and which pages may talk to it. */
export interface Names {
  /** The `Host` header: a loopback name with our port, the address listened on, or one that was allowed. */
  isOurHost(host: string | undefined): boolean
  /** The `Origin` header; `null`, which any sandboxed page has, is not ours. */
  isOurOrigin(origin: string): boolean
}

export interface NamesOptions {
  readonly port: number
  /** The address listened on; undefined for the wildcard. */
  readonly address: string | undefined
  /** `name` at any port, or `name:port`. */
  readonly allowedHosts: readonly string[]
  readonly isSecure: boolean
}

/** A name that resolves to us is not ours: a page of another site may have made it do so. */
export function createNames({ port, address, allowedHosts, isSecure }: NamesOptions): Names {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  const scheme = isSecure ? 'https:' : 'http:'

  function isOwn(hostname: string, ownPort: string): boolean {
    if (ownPort !== String(port)) return false
    const bare = hostname.replace(/^\[(.*)\]$/, '$1')
    return isLoopbackAddress(bare) || bare === address
  }

  function isAllowed({ hostname, port: input }: URL): boolean {
    return allowed.has(hostname) || (input !== '' && allowed.has(`${hostname}:${input}`))
  }

  return {
    isOurHost(host) {
      if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return false
      const url = parseUrl(`${scheme}//${host}/`)
      if (url === undefined) return false
      return isOwn(url.hostname, url.port || defaultPort(scheme)) || isAllowed(url)
    },
    isOurOrigin(origin) {
      const url = parseUrl(origin)
      if (url?.origin !== origin) return false
      if (isAllowed(url)) return url.protocol === 'https:' || url.protocol === 'http:'
      return url.protocol === scheme && isOwn(url.hostname, url.port || defaultPort(scheme))
    },
  }
}

function defaultPort(scheme: string): string {
  return scheme === 'https:' ? '443' : '80'
}
