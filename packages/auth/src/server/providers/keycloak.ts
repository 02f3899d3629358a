import type { OpenIdProvider } from '../third-party/openid-provider.ts'
import type { KnownProviderOptions } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'

/** Sign-in with Keycloak. Without `offline_access` in `scopes`, a sign-in here ends with the session there. */
export function keycloak(
  options: KnownProviderOptions & {
    /** Of the Keycloak server, without the realm. */
    readonly url: string
    /** The realm whose people sign in. */
    readonly realm: string
  },
): OpenIdProvider {
  const { url, realm, ...rest } = options
  return {
    id: 'keycloak',
    name: 'Keycloak',
    issuer: `${url.replace(/\/$/, '')}/realms/${realm}`,
    prompt: 'omit',
    ...givenOptions(rest),
  }
}
