import type { AuthInfo } from '@parley/mcp'

import { AuthError } from '../../shared/auth-error.ts'

/** A user's token of an identity provider that they signed in with. */
export interface ProviderToken {
  /** The access token itself. */
  readonly token: string
  /** Where it may be sent: URLs, also `https://*.example.com`. */
  readonly api: readonly string[]
  /** The headers that its API requires on every request. */
  readonly headers: { readonly [name: string]: string }
}

/** Finds what a provider gave us for a caller; another one if `refused` is not accepted any more. */
export type FindProviderToken = (
  auth: AuthInfo,
  provider: string,
  options?: { readonly rejected?: string | undefined },
) => Promise<ProviderToken>

/** By whom the tokens of a caller's providers are kept: the authorization server that their token is of. */
export const providerTokens = new WeakMap<AuthInfo, FindProviderToken>()

/** The token of a provider that a caller signed in with. Rejects with `grant_lost` if there is none. */
export async function findProviderToken(
  auth: AuthInfo | undefined,
  provider: string,
  rejected?: string,
): Promise<ProviderToken> {
  const find = auth && providerTokens.get(auth)
  if (auth !== undefined && find !== undefined) return find(auth, provider, { rejected })
  const why =
    auth === undefined
      ? 'nobody is signed in'
      : `the caller did not sign in at an authorization server that knows ${provider}`
  throw new AuthError('grant_lost', why, {
    step: 'token',
    hint: 'Use protect({ issuer: authServer }) with an authorization server that has signInWith.',
  })
}
