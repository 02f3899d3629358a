/**
 * Presets of identity providers that people can sign in with: `github()`, `google()` and others. Each is a table of addresses, scopes and
 * deviations for the two clients in `third-party/`.
 *
 * A preset contains no flow of its own. For a provider that is not here, use the options of `OAuthProvider` or `OpenIdProvider` directly.
 */

import { isJsonObject } from '@parley/mcp/json'

import type { JsonObject } from '../shared/json-document.ts'
import {
  type OpenIdProvider,
  type PresetOptions,
  type ProviderClaims,
  oauthProvider,
  type OAuthProvider,
} from './third-party/provider-options.ts'

/** Sign-in with Auth0. With `audience`, the user's token is for that API of yours; without, for `/userinfo` alone. */
export function auth0(
  options: PresetOptions & {
    /** The domain of the tenant, such as `tenant.eu.auth0.com`. */
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
    ...definedOptions(rest),
    ...(audience !== undefined && { authorizeParams: { audience, ...rest.authorizeParams } }),
  }
}

/** Sign-in with Discord. Tokens expire after a week, and a refresh gives a new pair. */
export function discord(options: PresetOptions): OAuthProvider {
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
    ...definedOptions(options),
  })
}

/**
 * Sign-in with GitHub, by an OAuth App or a GitHub App. Tokens of an OAuth App do not expire; those of a GitHub App do after
 * eight hours, and each refresh token works once.
 */
export function github(
  options: PresetOptions & {
    /** The URL of GitHub Enterprise Server. @defaultValue https://github.com */
    readonly url?: string | undefined
  },
): OAuthProvider {
  const { url: baseUrl = 'https://github.com', ...rest } = options
  const url = baseUrl.replace(/\/$/, '')
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
    ...definedOptions(rest),
  })
}

/** Sign-in with GitLab. Tokens expire after two hours, and a refresh ends the tokens before. Blocked users are refused. */
export function gitlab(
  options: PresetOptions & {
    /** The URL of your own GitLab. @defaultValue https://gitlab.com */
    readonly url?: string | undefined
  },
): OAuthProvider {
  const { url: baseUrl = 'https://gitlab.com', ...rest } = options
  const url = baseUrl.replace(/\/$/, '')
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
    ...definedOptions(rest),
  })
}

/** Options of which each has a value if it is there. */
export type Given<Options> = { [Name in keyof Options]: Exclude<Options[Name], undefined> }

/** Options without those that are undefined, so that these leave what the provider has. */
function definedOptions<Options extends object>(options: Options): Given<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Given<Options> // the same, without what is undefined
}

/** Sign-in with Google. A refresh token is given once, when the user agrees, so they are asked each time. */
export function google(
  options: PresetOptions & {
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
    ...definedOptions(rest),
    authorizeParams: {
      access_type: 'offline',
      prompt: 'consent',
      ...(hostedDomain !== undefined && { hd: hostedDomain }),
      ...rest.authorizeParams,
    },
  }
}

/** Sign-in with Keycloak. Without `offline_access` in `scopes`, a sign-in here ends with the session there. */
export function keycloak(
  options: PresetOptions & {
    /** The URL of the Keycloak server, without the realm. */
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
    ...definedOptions(rest),
  }
}

/**
 * Sign-in with Microsoft Entra ID. People are known by their tenant and `sub`, never by their address, which an
 * administrator of any tenant can choose.
 */
export function microsoft(
  options: PresetOptions & {
    /** A tenant by its id or domain, or `organizations`, `consumers`, `common`. */
    readonly tenant: string
    /** Where there are several: ids of those whose people may sign in. @defaultValue all */
    readonly tenants?: readonly string[] | undefined
    /** The URL of a national cloud. @defaultValue https://login.microsoftonline.com */
    readonly authority?: string | undefined
  },
): OpenIdProvider {
  const { tenant, tenants, authority = 'https://login.microsoftonline.com', ...rest } = options
  const isId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(tenant)
  return {
    id: 'microsoft',
    name: 'Microsoft',
    issuer: `${authority}/${tenant}/v2.0`,
    // The metadata of a tenant by another name than its id names the id, or no tenant at all.
    ...(!isId && { issuerTemplate: `${authority}/{tenantid}/v2.0` }),
    scopes: ['openid', 'profile', 'email', 'offline_access', 'User.Read'],
    prompt: 'omit', // would ask each time, and where only administrators may agree, nobody could
    api: ['https://graph.microsoft.com'],
    accepts: ({ tid }) => tenants === undefined || tenants.includes(String(tid)),
    ...definedOptions(rest),
  }
}

/**
 * Sign-in with Notion, by a public connection. It has no scopes: people choose pages instead. Tokens do not say when they
 * expire; a refresh gives a new pair.
 */
export function notion(options: Omit<PresetOptions, 'scopes'>): OAuthProvider {
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
    ...definedOptions(options),
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

/** Claims of a user whose id is a number; names and addresses change hands, numbers do not. */
function numberedUser(
  id: unknown,
  claims: { readonly [name: string]: unknown },
): ProviderClaims | undefined {
  return Number.isSafeInteger(id) ? { ...claims, sub: String(id) } : undefined
}

/** Sign-in with Okta. The app there needs the grant Refresh Token for sign-ins that outlast an hour. */
export function okta(
  options: PresetOptions & {
    /** The domain of the organization, such as `org.okta.com`. */
    readonly domain: string
    /** The id of the authorization server; `org` is that of the organization itself. @defaultValue 'default' */
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
    ...definedOptions(rest),
  }
}

/**
 * Sign-in with Slack, as the user and not as a bot: scopes are those of a user token. Errors come with status 200 and
 * `ok: false`. Tokens do not expire unless the app rotates them; then after twelve hours.
 */
export function slack(
  options: PresetOptions & {
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
    ...definedOptions(rest),
    ...(team !== undefined && { authorizeParams: { team, ...rest.authorizeParams } }),
  })
}

/** Beside a bot's token at first; by itself when it is refreshed. */
function userTokens(answer: JsonObject): JsonObject | undefined {
  const { authed_user: user, token_type: type } = answer
  if (isJsonObject(user) && typeof user['access_token'] === 'string') return user
  return type === 'user' ? answer : undefined
}
