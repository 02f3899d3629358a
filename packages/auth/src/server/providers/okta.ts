import type { OpenIdProvider } from '../third-party/openid-provider.ts'
import type { KnownProviderOptions } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'

/** Sign-in with Okta. The app there needs the grant Refresh Token for sign-ins that outlast an hour. */
export function okta(
  options: KnownProviderOptions & {
    /** Of the organization, such as `org.okta.com`. */
    readonly domain: string
    /** Of the authorization server; `org` is that of the organization itself. @defaultValue 'default' */
    readonly server?: string | undefined
  },
): OpenIdProvider {
  const { domain, server = 'default', ...rest } = options
  const origin = `https://${domain}`
  return {
    id: 'okta',
    name: 'Okta',
    issuer: server === 'org' ? origin : `${origin}/oauth2/${server}`,
    prompt: 'omit',
    ...givenOptions(rest),
  }
}
