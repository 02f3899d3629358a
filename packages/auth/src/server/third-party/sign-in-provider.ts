import { parseUrl } from '../../shared/url-rules.ts'
import type { UserAccount } from '../sign-in/users.ts'
import type { OAuthProvider, OpenIdProvider, ProviderClaims } from './provider-options.ts'

/** Somebody else's accounts that people may sign in with. */
export type SignInProvider = OpenIdProvider | OAuthProvider

/** One provider or several, as a list. */
export function listProviders(
  providers: SignInProvider | readonly SignInProvider[] | undefined,
): readonly SignInProvider[] {
  if (providers === undefined) return []
  return isList(providers) ? providers : [providers]
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value)
}

/** Its id, given or made of its name. */
export function providerId({ id, name }: SignInProvider): string {
  return (
    id ??
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
  )
}

/** The addresses that the operator wrote, by what they are. */
export function providerUrls(provider: SignInProvider): { readonly [option: string]: string } {
  if (provider.kind !== 'oauth') return { issuer: provider.issuer }
  const { authorizationUrl, tokenUrl, userUrl } = provider
  return { authorizationUrl, tokenUrl, userUrl }
}

/** Where the tokens of its users may be sent. */
export function providerApi(provider: SignInProvider): readonly string[] {
  if (provider.api !== undefined) return provider.api
  const own = provider.kind === 'oauth' ? provider.userUrl : provider.issuer
  return [parseUrl(own)?.origin ?? own]
}

/** Returns the user's account here; undefined if they may not sign in. */
export async function accountAt(
  provider: SignInProvider,
  claims: ProviderClaims,
  asThem: typeof fetch,
): Promise<UserAccount | undefined> {
  if (provider.accepts?.(claims) === false) return undefined
  if (provider.account !== undefined) return provider.account(claims, { fetch: asThem })
  const { sub, iss } = claims
  return { subject: `${issuerOf(provider, iss)}|${sub}`, claims: knownClaims(claims) }
}

/** The issuer of the token, which is not the provider's where that has tenants. */
function issuerOf(provider: SignInProvider, iss: unknown): string {
  if (provider.kind === 'oauth') return providerId(provider)
  return typeof iss === 'string' ? iss : provider.issuer
}

function knownClaims(claims: ProviderClaims): Record<string, unknown> {
  const texts = ['name', 'preferred_username', 'email', 'picture']
  const kept = Object.entries(claims).filter(([name, value]) => {
    return name === 'email_verified'
      ? typeof value === 'boolean'
      : texts.includes(name) && typeof value === 'string'
  })
  return Object.fromEntries(kept)
}
