import { createOAuthClient } from './oauth-client.ts'
import { createOpenIdClient } from './openid-client.ts'
import type { PartyClient, PartyContext } from './party-client.ts'
import type { SignInProvider } from './sign-in-provider.ts'

/** Us as a client of a provider of either kind. */
export function createPartyClient(provider: SignInProvider, context: PartyContext): PartyClient {
  return provider.kind === 'oauth'
    ? createOAuthClient(provider, context)
    : createOpenIdClient(provider, context)
}
