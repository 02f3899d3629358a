import { McpError } from '../../../rpc/errors/mcp-error.ts'
import type { Guard } from '../http-options.ts'

/** What an endpoint is told about where it stands in the network. */
export interface PublicOptions {
  readonly url?: string | URL | undefined
  readonly auth?: Guard | undefined
  readonly allowedOrigins?: readonly string[] | '*' | undefined
}

/** An option that cannot work, told before anything is served. */
export function invalidOption(feature: string, message: string, hint?: string): McpError {
  return new McpError('invalid_definition', message, { details: { feature }, hint })
}

/** The public address in its HTTP form, for which tokens are issued. Throws `invalid_definition` if it is none. */
export function publicUrl({ url }: Pick<PublicOptions, 'url'>): URL | undefined {
  if (url === undefined) return undefined
  const text = String(url).replace(/^ws/i, 'http')
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text)
  throw invalidOption('url', `url ${text} is no public address`, 'As in https://api.example/mcp.')
}

/** Throws `invalid_definition` for what does not go together. */
export function requirePublicOptions({ url, auth, allowedOrigins }: PublicOptions): void {
  if (allowedOrigins === '*' && !auth) {
    throw invalidOption(
      'allowedOrigins',
      "allowedOrigins: '*' needs auth",
      'Any web page could use the server in the name of who visits it; name the origins instead.',
    )
  }
  if (auth?.route === undefined || url !== undefined) return
  // A guard with paths of its own cannot say where they are without one.
  throw invalidOption(
    'auth',
    'auth needs url, the public address of the endpoint',
    'Tokens are issued for that address, and it is never taken from a request.',
  )
}
