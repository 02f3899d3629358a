import { oauthProvider, type OAuthProvider } from '../third-party/oauth-provider.ts'
import type { KnownProviderOptions } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'
import { numberedUser } from './numbered-user.ts'

/** Sign-in with GitLab. Tokens expire after two hours, and a refresh ends the tokens before. Blocked users are refused. */
export function gitlab(
  options: KnownProviderOptions & {
    /** Of your own GitLab. @defaultValue https://gitlab.com */
    readonly url?: string | undefined
  },
): OAuthProvider {
  const { url: given = 'https://gitlab.com', ...rest } = options
  const url = given.replace(/\/$/, '')
  return oauthProvider({
    id: 'gitlab',
    name: 'GitLab',
    scopes: ['read_user'],
    authorizationUrl: `${url}/oauth/authorize`,
    tokenUrl: `${url}/oauth/token`,
    issuer: url,
    userUrl: `${url}/api/v4/user`,
    user: ({ id, username, name, email, avatar_url: picture, state }) =>
      state === 'active'
        ? numberedUser(id, { name, preferred_username: username, email, picture })
        : undefined,
    refreshParams: (redirectUri) => ({ redirect_uri: redirectUri }),
    api: [`${url}/api`],
    ...givenOptions(rest),
  })
}
