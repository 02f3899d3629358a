import { parseUrl } from '../../../rpc/address/parse-url.ts'
import { McpError } from '../../../rpc/errors/mcp-error.ts'
import type { HttpGuard } from '../http-options.ts'

/** Options about the network in front of an endpoint. */
export interface PublicOptions {
  readonly url?: string | URL | undefined
  readonly auth?: HttpGuard | undefined
  readonly allowedOrigins?: readonly string[] | '*' | undefined
  readonly legacySse?: boolean | string | undefined
}

/** An option that cannot work, told before anything is served. */
export function invalidOption(feature: string, message: string, hint?: string): McpError {
  return new McpError('invalid_definition', message, { details: { feature }, hint })
}

/** The public address in its HTTP form, for which tokens are issued. Throws `invalid_definition` if it is none. */
export function publicUrl({ url }: Pick<PublicOptions, 'url'>): URL | undefined {
  if (url === undefined) return undefined
  const text = String(url).replace(/^ws/i, 'http')
  const parsed = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined
  if (parsed !== undefined) return parsed
  throw invalidOption(
    'url',
    `url ${text} is not an http: or https: address`,
    'For example https://api.example/mcp.',
  )
}

/** Throws `invalid_definition` for what does not go together. */
export function requirePublicOptions({ url, auth, allowedOrigins, ...rest }: PublicOptions): void {
  requireSsePath(rest.legacySse)
  if (allowedOrigins === '*' && !auth) {
    throw invalidOption(
      'allowedOrigins',
      "allowedOrigins: '*' needs auth",
      'Otherwise any web page could use the server as its visitor. List the origins instead.',
    )
  }
  if (auth?.route === undefined || url !== undefined) return
  // A guard with paths of its own cannot say where they are without one.
  throw invalidOption(
    'auth',
    'auth needs url, the public address of the endpoint',
    'Tokens are issued for that address. It is never taken from a request.',
  )
}

/** The second path is made of the first. */
function requireSsePath(path: PublicOptions['legacySse']): void {
  if (typeof path !== 'string' || /^\/(?:[^\s?#]*\/)?sse$/.test(path)) return
  throw invalidOption(
    'legacySse',
    `legacySse: ${JSON.stringify(path)} is not a path that ends in /sse`,
    'For example /sse: messages are then sent to /message.',
  )
}

/** The origins of `allowedOrigins` as browsers write them. Throws `invalid_definition` for what no browser sends. */
export function readOrigins(origins: readonly string[]): ReadonlySet<string> {
  return new Set(requireList('allowedOrigins', origins).map(readOrigin))
}

/** The hosts of `allowedHosts` as requests write them. Throws `invalid_definition` for what no request names. */
export function readHosts(hosts: readonly string[]): readonly string[] {
  return requireList('allowedHosts', hosts).map(readHost)
}

/** Plain JavaScript may give anything. */
export function requireList(option: string, values: readonly string[]): readonly string[] {
  if (Array.isArray(values)) return values
  throw invalidOption(option, `${option} must be a list: write ['${String(values)}']`)
}

function readOrigin(origin: string): string {
  if (origin === 'null') return origin // pages without an origin, as those from a file
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#*]+\/?$/i.test(origin)) {
    throw invalidOption(
      'allowedOrigins',
      `allowedOrigins: ${origin} is not an origin`,
      originHint(origin),
    )
  }
  const url = /^https?:/i.test(origin) ? parseUrl(origin) : undefined
  return url?.origin ?? origin.replace(/\/$/, '').toLowerCase()
}

function originHint(origin: string): string {
  return origin.includes('*')
    ? "Patterns are not supported. allowedOrigins: '*' instead of a list allows every origin, and needs auth."
    : 'Write scheme, host and port, for example https://app.example.'
}

function readHost(host: string): string {
  if (/^(\[[\da-f:.]+\]|[^\s/?#@:*[\]]+)(:\d+)?$/i.test(host)) return host.toLowerCase()
  throw invalidOption(
    'allowedHosts',
    `allowedHosts: ${host} is not a host`,
    'Write a name, with or without a port, for example api.example. Schemes, paths and patterns are not supported.',
  )
}
