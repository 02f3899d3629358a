import type { OpenIdProvider } from '../third-party/openid-provider.ts'
import type { KnownProviderOptions } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'

/** Sign-in with Google. A refresh token is given once, when the user agrees, so they are asked each time. */
export function google(
  options: KnownProviderOptions & {
    /** Only accounts of this Google Workspace, by its domain. @defaultValue all accounts */
    readonly hostedDomain?: string | undefined
  },
): OpenIdProvider {
  const { hostedDomain, ...rest } = options
  return {
    id: 'google',
    name: 'Google',
    issuer: 'https://accounts.google.com',
    scopes: ['openid', 'profile', 'email'],
    api: ['https://*.googleapis.com'],
    // The parameter only chooses what is shown; the claim is what counts.
    accepts: ({ hd }) => hostedDomain === undefined || hd === hostedDomain,
    ...givenOptions(rest),
    authorizeParams: {
      access_type: 'offline',
      prompt: 'consent',
      ...(hostedDomain !== undefined && { hd: hostedDomain }),
      ...rest.authorizeParams,
    },
  }
}
