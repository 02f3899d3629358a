import { isJsonObject } from '@parley/mcp/json'

import { type JsonObject } from '../../shared/json.ts'
import { oauthProvider, type OAuthProvider } from '../third-party/oauth-provider.ts'
import type { KnownProviderOptions } from '../third-party/provider-options.ts'
import { givenOptions } from './given-options.ts'

/**
 * Sign-in with Slack, as the user and not as a bot: scopes are those of a user token. Errors come with status 200 and
 * `ok: false`. Tokens do not expire unless the app rotates them; then after twelve hours.
 */
export function slack(
  options: KnownProviderOptions & {
    /** The workspace to sign in to, by its id. @defaultValue any */
    readonly team?: string | undefined
  },
): OAuthProvider {
  const { team, ...rest } = options
  return oauthProvider({
    id: 'slack',
    name: 'Slack',
    scopes: ['users:read'],
    scopeParameter: 'user_scope',
    scopeSeparator: ',',
    authorizationUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    clientAuth: 'basic',
    pkce: false, // only for apps that have no secret
    tokens: userTokens,
    userUrl: 'https://slack.com/api/auth.test',
    user: ({ user_id: id, team_id: of, user, team: teamName }) =>
      typeof id === 'string' && typeof of === 'string'
        ? { sub: `${of}.${id}`, preferred_username: user, team_id: of, team_name: teamName }
        : undefined,
    api: ['https://slack.com/api'],
    accepts: ({ team_id: of }) => team === undefined || of === team,
    ...givenOptions(rest),
    ...(team !== undefined && { authorizeParams: { team, ...rest.authorizeParams } }),
  })
}

/** Beside a bot's token at first; by itself when it is refreshed. */
function userTokens(answer: JsonObject): JsonObject | undefined {
  const { authed_user: user, token_type: type } = answer
  if (isJsonObject(user) && typeof user['access_token'] === 'string') return user
  return type === 'user' ? answer : undefined
}
