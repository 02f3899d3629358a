import { isJsonObject } from '@parley/mcp/json'

import { type JsonObject } from '../../shared/json.ts'
import { oauthProvider, type OAuthProvider } from '../third-party/oauth-provider.ts'
import type { KnownProviderOptions, ProviderClaims } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'

/**
 * Sign-in with Notion, by a public connection. It has no scopes: people choose pages instead. Tokens do not say when they
 * expire; a refresh gives a new pair.
 */
export function notion(options: Omit<KnownProviderOptions, 'scopes'>): OAuthProvider {
  return oauthProvider({
    id: 'notion',
    name: 'Notion',
    authorizationUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    clientAuth: 'basic',
    tokenFormat: 'json',
    pkce: false,
    userUrl: 'https://api.notion.com/v1/users/me',
    user: ownerOf,
    api: ['https://api.notion.com'],
    apiHeaders: { 'notion-version': '2022-06-28' },
    ...givenOptions(options),
    authorizeParams: { owner: 'user', ...options.authorizeParams },
  })
}

/** A token is a bot's there, and the bot somebody's; one of a whole workspace is nobody's. */
function ownerOf({ bot }: JsonObject): ProviderClaims | undefined {
  const owner = isJsonObject(bot) ? bot['owner'] : undefined
  const user = isJsonObject(owner) ? owner['user'] : undefined
  if (!isJsonObject(user) || typeof user['id'] !== 'string') return undefined
  const { id, name, avatar_url: picture, person } = user
  const email = isJsonObject(person) ? person['email'] : undefined
  return { sub: id, name, picture, email }
}
