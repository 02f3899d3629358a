import { isAuthError } from '../../shared/auth-error.ts'
import { parseUrl } from '../../shared/url-rules.ts'
import { warnOnce } from '../../shared/warn.ts'
import type { IssuerSettings, AuthHttp } from '../options.ts'
import { findIssuer, type TokenIssuer } from './issuer-metadata.ts'

interface KnownIssuer {
  readonly host: RegExp
  readonly settings: IssuerSettings
}

/** Providers that are known to differ, by the host of their issuer. */
const knownIssuers: readonly KnownIssuer[] = [
  {
    // Gives a refresh token for this parameter, not for a scope, and only when consent is asked for again.
    host: /^accounts\.google\.com$/,
    settings: {
      authorizeParams: { access_type: 'offline', prompt: 'consent' },
      offlineAccess: 'never',
    },
  },
  { host: /^github\.com$/, settings: { offlineAccess: 'never' } },
  {
    // Does PKCE and does not list it; its common endpoints write a placeholder for the tenant.
    host: /^login\.(?:microsoftonline\.com|microsoftonline\.us|partner\.microsoftonline\.cn)$/,
    settings: {
      assumePkceS256: true,
      issuerTemplate: 'https://login.microsoftonline.com/{tenantid}/v2.0',
    },
  },
  { host: /^cognito-idp\.[a-z0-9-]+\.amazonaws\.com$/, settings: { assumePkceS256: true } },
]

/** The settings for an issuer: what is known about it, and over that what the user says. */
export function settingsFor(
  issuer: string,
  own: { readonly [issuer: string]: IssuerSettings } | undefined,
): IssuerSettings {
  const host = parseUrl(issuer)?.hostname ?? ''
  const preset = knownIssuers.find((candidate) => candidate.host.test(host))?.settings
  const settings = own && (Object.hasOwn(own, issuer) ? own[issuer] : own[withOtherSlash(issuer)])
  return { ...preset, ...settings }
}

/** Says once which check was given up for which issuer. */
export function warnOfWeakening(issuer: string, weakened: 'pkce' | 'resource'): void {
  warnOnce(
    weakened === 'pkce'
      ? `${issuer} does not announce PKCE; it is used anyway because assumePkceS256 is set`
      : `${issuer} is not told which server a token is for, because resource: 'omit' is set`,
  )
}

function withOtherSlash(issuer: string): string {
  return issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`
}

/**
 * Servers of 2025-03-26 sign clients in themselves: with metadata at their root, or at three fixed paths.
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#2-3-server-metadata-discovery
 */
export async function issuerAtServer(
  { origin }: URL,
  settings: IssuerSettings,
  http: AuthHttp,
): Promise<TokenIssuer> {
  try {
    return await findIssuer(origin, settings, http, { 'mcp-protocol-version': '2025-03-26' })
  } catch (error) {
    if (!isAuthError(error, 'metadata_not_found')) throw error
    return {
      id: origin,
      settings,
      server: {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        code_challenge_methods_supported: ['S256'], // that revision demands it of every server
      },
    }
  }
}
