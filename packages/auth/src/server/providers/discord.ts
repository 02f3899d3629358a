import { oauthProvider, type OAuthProvider } from '../third-party/oauth-provider.ts'
import type { KnownProviderOptions } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'

/** Sign-in with Discord. Tokens expire after a week, and a refresh gives a new pair. */
export function discord(options: KnownProviderOptions): OAuthProvider {
  return oauthProvider({
    id: 'discord',
    name: 'Discord',
    scopes: ['identify', 'email'],
    authorizationUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    clientAuth: 'basic',
    userUrl: 'https://discord.com/api/v10/users/@me',
    user: ({ id, username, global_name: name, email, verified }) =>
      typeof id === 'string'
        ? {
            sub: id,
            name: name ?? username,
            preferred_username: username,
            email,
            email_verified: verified,
          }
        : undefined,
    api: ['https://discord.com/api'],
    apiHeaders: { 'user-agent': 'DiscordBot (https://github.com/parley-mcp/parley, 0.1.0)' },
    ...givenOptions(options),
  })
}
