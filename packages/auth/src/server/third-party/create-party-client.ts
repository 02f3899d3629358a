import { createOAuthClient } from './oauth-client.ts'
import { createOpenIdClient } from './openid-client.ts'
import type { ProviderClient, ProviderContext } from './party-client.ts'
import type { SignInProvider } from './sign-in-provider.ts'

/** Us as a client of a provider of either kind. */
export function createProviderClient(
  provider: SignInProvider,
  context: ProviderContext,
): ProviderClient {
  return provider.kind === 'oauth'
    ? createOAuthClient(provider, context)
    : createOpenIdClient(provider, context)
}
