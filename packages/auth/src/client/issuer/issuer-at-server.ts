import { isAuthError } from '../../shared/auth-error.ts'
import type { IssuerSettings } from '../options.ts'
import type { AuthHttp } from '../wire.ts'
import { findIssuer, type Issuer } from './issuer-metadata.ts'

/**
 * Servers of 2025-03-26 sign clients in themselves: with metadata at their root, or at three fixed paths.
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#2-3-server-metadata-discovery
 */
export async function issuerAtServer(
  { origin }: URL,
  settings: IssuerSettings,
  http: AuthHttp,
): Promise<Issuer> {
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
