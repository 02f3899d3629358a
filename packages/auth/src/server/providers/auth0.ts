import type { OpenIdProvider } from '../third-party/openid-provider.ts'
import type { KnownProviderOptions } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'

/** Sign-in with Auth0. With `audience`, the user's token is for that API of yours; without, for `/userinfo` alone. */
export function auth0(
  options: KnownProviderOptions & {
    /** Of the tenant, such as `tenant.eu.auth0.com`. */
    readonly domain: string
    /** The API that the user's token is for. @defaultValue none */
    readonly audience?: string | undefined
  },
): OpenIdProvider {
  const { domain, audience, ...rest } = options
  return {
    id: 'auth0',
    name: 'Auth0',
    issuer: `https://${domain}/`, // with the slash, in its metadata and tokens too
    prompt: 'omit',
    ...givenOptions(rest),
    ...(audience !== undefined && { authorizeParams: { audience, ...rest.authorizeParams } }),
  }
}
