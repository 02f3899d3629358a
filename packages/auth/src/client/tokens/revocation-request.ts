import { parseJsonObject } from '@parley/mcp/json'
import { revocationRequest } from 'oauth4webapi'

import { AuthError, isAuthError } from '../../shared/auth-error.ts'
import { authenticationOf, type ClientIdentity } from '../identity/client-identity.ts'
import type { Issuer } from '../issuer/issuer-metadata.ts'
import { libraryOptions, type AuthHttp } from '../wire.ts'

/** Who takes a token back where. */
export interface RevocationCall {
  readonly issuer: Issuer
  readonly identity: ClientIdentity
  readonly http: AuthHttp
}

/** One request to the revocation endpoint. `unsupported`: tokens of this kind cannot be taken back there. */
export async function requestRevocation(
  token: string,
  kind: 'refresh_token' | 'access_token',
  { issuer, identity, http }: RevocationCall,
): Promise<'done' | 'unsupported'> {
  const { error, status } = await send()
  if (status >= 200 && status < 300) return 'done' // also for a token it does not know: that one is good for nothing
  if (error === 'unsupported_token_type') return 'unsupported'
  throw new AuthError(
    status === 0 || status >= 500 ? 'unreachable' : 'token_refused',
    `${issuer.id} did not revoke the token: ${error === '' ? `status ${status}` : error}`,
    { step: 'revoke', issuer: issuer.id },
  )

  async function send(): Promise<{ readonly status: number; readonly error: string }> {
    const client = { client_id: identity.id }
    const authentication = await authenticationOf(identity, issuer)
    try {
      const response = await revocationRequest(issuer.server, client, authentication, token, {
        ...libraryOptions(http, async (answer) => answer),
        additionalParameters: { token_type_hint: kind },
      })
      const body = parseJsonObject(await response.text())
      return { status: response.status, error: nameOf(body?.['error'], token) }
    } catch (cause) {
      if (http.signal.aborted) throw http.signal.reason
      if (isAuthError(cause)) throw cause
      return { status: 0, error: 'no answer' }
    }
  }
}

/** An error as OAuth names them, and nothing that could be of the token. */
function nameOf(error: unknown, token: string): string {
  const isName = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error)
  return isName && !token.includes(error) ? error : ''
}
