/** Variables of the environment, as `process.env` has them. */
export type Environment = { readonly [name: string]: string | undefined }

/**
 * The proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name for an address, in either case. Addresses of this
 * machine never go through one: it could not reach them.
 */
export function proxyFor(url: URL, environment: Environment): URL | undefined {
  if (isLoopback(url.hostname) || isExcluded(url, read(environment, 'no_proxy'))) return undefined
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = read(environment, name)
  if (proxy === undefined || proxy === '') return undefined
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`)
}

/** `localhost` and its subdomains, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase()
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  )
}

/** `Proxy-Authorization` for a proxy whose address has a user in it. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '') return undefined
  return basicAuthorization(username, password)
}

/** The `Basic` scheme for the user and password of a URL, which are percent-encoded there. */
export function basicAuthorization(username: string, password: string): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(pair)))}`
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
