import type { AuthInfo } from '@parley/mcp'

import type { ProviderToken } from '../../resource/upstream/provider-token.ts'
import { AuthError } from '../../shared/auth-error.ts'
import { providerApi } from './sign-in-provider.ts'
import type { ThirdParties } from './third-parties.ts'

/** What a provider gave us for a caller: only for the user of a token of ours, and while its grant lasts. */
export async function findProviderToken(
  { issuer, subject, claims }: AuthInfo,
  asked: { readonly provider: string; readonly refused: string | undefined },
  server: Pick<ThirdParties, 'parties' | 'tokens'> & { readonly issuer: string },
): Promise<ProviderToken> {
  const party = server.parties.find(({ id }) => id === asked.provider)
  if (party === undefined) {
    const known = server.parties.map(({ id }) => id).join(', ') || 'none'
    throw new TypeError(`there is no provider ${asked.provider} in signInWith: known are ${known}`)
  }
  const { grant_id: grantId } = claims
  if (issuer !== server.issuer || typeof grantId !== 'string') {
    throw new AuthError('grant_lost', 'this caller did not sign in here with a provider', {
      step: 'token',
      issuer: server.issuer,
    })
  }
  const token = await server.tokens.find({ subject, grantId }, party, asked.refused)
  const { apiHeaders: headers = {} } = party.provider
  return { token, headers, api: providerApi(party.provider) }
}
