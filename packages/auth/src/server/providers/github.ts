import { oauthProvider, type OAuthProvider } from '../third-party/oauth-provider.ts'
import type { KnownProviderOptions } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'
import { numberedUser } from './numbered-user.ts'

/**
 * Sign-in with GitHub, by an OAuth App or a GitHub App. Tokens of an OAuth App do not expire; those of a GitHub App do after
 * eight hours, and each refresh token works once.
 */
export function github(
  options: KnownProviderOptions & {
    /** Of GitHub Enterprise Server. @defaultValue https://github.com */
    readonly url?: string | undefined
  },
): OAuthProvider {
  const { url: given = 'https://github.com', ...rest } = options
  const url = given.replace(/\/$/, '')
  const api = url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`
  return oauthProvider({
    id: 'github',
    name: 'GitHub',
    scopes: ['read:user', 'user:email'],
    authorizationUrl: `${url}/login/oauth/authorize`,
    tokenUrl: `${url}/login/oauth/access_token`,
    issuer: `${url}/login/oauth`,
    userUrl: `${api}/user`,
    user: ({ id, login, name, email, avatar_url: picture }) =>
      numberedUser(id, { name, preferred_username: login, email, picture }),
    api: [api],
    apiHeaders: {
      accept: 'application/vnd.github+json',
      'user-agent': 'parley', // refused without one
      'x-github-api-version': '2022-11-28',
    },
    ...givenOptions(rest),
  })
}
