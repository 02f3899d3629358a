import {
  auth0,
  discord,
  github,
  gitlab,
  google,
  keycloak,
  type PresetOptions,
  microsoft,
  notion,
  okta,
  type SignInProvider,
  slack,
} from '@parley/auth/server'

type Json = Record<string, unknown>

/** Tokens that a provider is about to hand out. */
export interface Issued {
  readonly user: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly isRefresh: boolean
  readonly nonce: string | undefined
}

/** An answer of a provider. */
export interface Said {
  readonly status?: number
  readonly body: Json
}

/** What one provider documents, as far as a client can tell. */
export interface Behaviour {
  readonly preset: (options: PresetOptions) => SignInProvider
  readonly authorizeAt: string
  readonly tokenAt: string
  readonly userAt?: string
  /** Its metadata, where it has any. */
  readonly metadata?: { readonly at: string; readonly body: Json }
  /** How a client proves itself, and what it sends. */
  readonly clientAuth: 'body' | 'basic'
  readonly format?: 'form' | 'json'
  /** Parameters that have to be in the address people are sent to. */
  readonly wants: Readonly<Record<string, string>>
  /** Parameters that must not be there. */
  readonly refuses?: readonly string[]
  /** Headers without which the API does not answer. */
  readonly needs?: readonly string[]
  readonly tokens: (issued: Issued) => Json
  readonly user?: (id: string) => Json
  /** For a code that was used or is of somebody else. */
  readonly badCode: Said
  /** Undefined if tokens do not expire and cannot be refreshed. */
  readonly badRefresh?: Said
  readonly badToken?: Said
  /** Whether each refresh token works once. @defaultValue true */
  readonly rotates?: boolean
  /** Who somebody is here. */
  readonly subject: (id: string) => string
  /** An address of its API, and one that is not. */
  readonly api: string
}

const invalidGrant: Said = { status: 400, body: { error: 'invalid_grant' } }
const tenant = '11111111-2222-3333-4444-555555555555'

function plain({ accessToken, refreshToken }: Issued, expiresIn: number | string): Json {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    refresh_token: refreshToken,
    expires_in: expiresIn,
  }
}

/** An ID token; its signature is not looked at, because it comes from the token endpoint itself. */
function idToken(issuer: string, { user, nonce }: Issued, more: Json = {}): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: 'our-id',
    sub: user,
    iat: now,
    exp: now + 600,
    nonce,
    name: 'Ada',
    ...more,
  }
  const parts = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return `${parts.join('.')}.c2lnbmF0dXJl`
}

function openId(
  issuer: string,
  { at, more, scopes = [] }: { at: string; more?: Json; scopes?: readonly string[] },
) {
  return {
    authorizeAt: `${at}/authorize`,
    tokenAt: `${at}/token`,
    metadata: {
      at: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      body: {
        issuer,
        authorization_endpoint: `${at}/authorize`,
        token_endpoint: `${at}/token`,
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        scopes_supported: ['openid', 'profile', 'email', ...scopes],
        ...more,
      },
    },
    clientAuth: 'basic',
    badCode: invalidGrant,
    badRefresh: invalidGrant,
    tokens: (issued: Issued): Json => ({
      ...plain(issued, 3600),
      id_token: idToken(issuer, issued),
    }),
    subject: (id: string) => `${issuer}|${id}`,
  } as const
}

/** All providers there are functions for, each as it says that it behaves. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  github: {
    preset: github,
    authorizeAt: 'https://github.com/login/oauth/authorize',
    tokenAt: 'https://github.com/login/oauth/access_token',
    userAt: 'https://api.github.com/user',
    clientAuth: 'body',
    wants: { scope: 'read:user user:email', code_challenge_method: 'S256' },
    needs: ['user-agent'],
    // Of a GitHub App: seconds are text.
    tokens: (issued) => ({
      ...plain(issued, '28800'),
      refresh_token_expires_in: '15811200',
      scope: '',
    }),
    user: (id) => ({ id: Number(id), login: 'ada', name: 'Ada', email: null, type: 'User' }),
    badCode: {
      status: 200,
      body: {
        error: 'bad_verification_code',
        error_description: 'The code passed is incorrect or expired.',
      },
    },
    badRefresh: { status: 200, body: { error: 'bad_refresh_token' } },
    badToken: { status: 401, body: { message: 'Bad credentials', status: '401' } },
    subject: (id) => `github|${id}`,
    api: 'https://api.github.com/user/repos',
  },
  gitlab: {
    preset: gitlab,
    authorizeAt: 'https://gitlab.com/oauth/authorize',
    tokenAt: 'https://gitlab.com/oauth/token',
    userAt: 'https://gitlab.com/api/v4/user',
    clientAuth: 'body',
    wants: { scope: 'read_user', code_challenge_method: 'S256' },
    tokens: (issued) => ({ ...plain(issued, 7200), created_at: 1_607_635_748 }),
    user: (id) => ({
      id: Number(id),
      username: 'ada',
      name: 'Ada',
      state: 'active',
      email: 'ada@example.org',
    }),
    badCode: invalidGrant,
    badRefresh: invalidGrant,
    badToken: { status: 401, body: { message: '401 Unauthorized' } },
    subject: (id) => `gitlab|${id}`,
    api: 'https://gitlab.com/api/v4/projects',
  },
  slack: {
    preset: slack,
    authorizeAt: 'https://slack.com/oauth/v2/authorize',
    tokenAt: 'https://slack.com/api/oauth.v2.access',
    userAt: 'https://slack.com/api/auth.test',
    clientAuth: 'basic',
    wants: { user_scope: 'users:read' },
    refuses: ['scope', 'code_challenge'],
    tokens(issued) {
      const own = { ...plain(issued, 43_200), token_type: 'user' }
      return issued.isRefresh
        ? { ok: true, ...own }
        : { ok: true, team: { id: 'T1' }, authed_user: { id: `U${issued.user}`, ...own } }
    },
    user: (id) => ({ ok: true, user: 'ada', user_id: `U${id}`, team: 'Example', team_id: 'T1' }),
    badCode: { status: 200, body: { ok: false, error: 'invalid_code' } },
    badRefresh: { status: 200, body: { ok: false, error: 'invalid_refresh_token' } },
    badToken: { status: 200, body: { ok: false, error: 'token_revoked' } },
    subject: (id) => `slack|T1.U${id}`,
    api: 'https://slack.com/api/conversations.list',
  },
  notion: {
    preset: notion,
    authorizeAt: 'https://api.notion.com/v1/oauth/authorize',
    tokenAt: 'https://api.notion.com/v1/oauth/token',
    userAt: 'https://api.notion.com/v1/users/me',
    clientAuth: 'basic',
    format: 'json',
    wants: { owner: 'user' },
    refuses: ['scope', 'code_challenge'],
    needs: ['notion-version'],
    tokens: ({ accessToken, refreshToken, user }) => ({
      access_token: accessToken,
      token_type: 'bearer',
      refresh_token: refreshToken,
      bot_id: 'bot-1',
      workspace_id: 'workspace-1',
      owner: { type: 'user', user: { object: 'user', id: user } },
    }),
    user: (id) => ({
      object: 'user',
      id: 'bot-1',
      type: 'bot',
      bot: {
        owner: { type: 'user', user: { id, name: 'Ada', person: { email: 'ada@example.org' } } },
      },
    }),
    badCode: invalidGrant,
    badRefresh: invalidGrant,
    badToken: {
      status: 401,
      body: {
        object: 'error',
        status: 401,
        code: 'unauthorized',
        message: 'API token is invalid.',
      },
    },
    subject: (id) => `notion|${id}`,
    api: 'https://api.notion.com/v1/search',
  },
  discord: {
    preset: discord,
    authorizeAt: 'https://discord.com/oauth2/authorize',
    tokenAt: 'https://discord.com/api/oauth2/token',
    userAt: 'https://discord.com/api/v10/users/@me',
    clientAuth: 'basic',
    wants: { scope: 'identify email' },
    needs: ['user-agent'],
    tokens: (issued) => ({
      ...plain(issued, 604_800),
      token_type: 'Bearer',
      scope: 'identify email',
    }),
    user: (id) => ({
      id,
      username: 'ada',
      global_name: 'Ada',
      email: 'ada@example.org',
      verified: true,
    }),
    badCode: invalidGrant,
    badRefresh: invalidGrant,
    badToken: { status: 401, body: { message: '401: Unauthorized', code: 0 } },
    subject: (id) => `discord|${id}`,
    api: 'https://discord.com/api/v10/users/@me/guilds',
  },
  google: {
    preset: google,
    ...openId('https://accounts.google.com', { at: 'https://oauth2.googleapis.com' }),
    wants: { access_type: 'offline', prompt: 'consent', scope: 'openid profile email' },
    rotates: false,
    // A refresh gives no refresh token and may leave the ID token out.
    tokens: (issued) => ({
      ...plain(issued, 3599),
      ...(issued.isRefresh
        ? { refresh_token: undefined }
        : { id_token: idToken('https://accounts.google.com', issued) }),
    }),
    api: 'https://www.googleapis.com/drive/v3/files',
  },
  microsoft: {
    preset: (options) => microsoft({ ...options, tenant: 'common' }),
    ...openId('https://login.microsoftonline.com/common/v2.0', {
      at: 'https://login.microsoftonline.com/common/oauth2/v2.0',
      more: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' },
    }),
    wants: { scope: 'openid profile email offline_access User.Read' },
    // The tenant of the user is in the token alone.
    tokens: (issued) => ({
      ...plain(issued, 3599),
      id_token: idToken(`https://login.microsoftonline.com/${tenant}/v2.0`, issued, {
        tid: tenant,
      }),
    }),
    subject: (id) => `https://login.microsoftonline.com/${tenant}/v2.0|${id}`,
    api: 'https://graph.microsoft.com/v1.0/me',
  },
  okta: {
    preset: (options) => okta({ ...options, domain: 'org.okta.com' }),
    ...openId('https://org.okta.com/oauth2/default', {
      at: 'https://org.okta.com/oauth2/default/v1',
      scopes: ['offline_access'],
    }),
    wants: { scope: 'openid profile email offline_access' },
    api: 'https://org.okta.com/oauth2/default/v1/userinfo',
  },
  auth0: {
    preset: (options) =>
      auth0({ ...options, domain: 'tenant.eu.auth0.com', audience: 'https://api.example.com' }),
    ...openId('https://tenant.eu.auth0.com/', {
      at: 'https://tenant.eu.auth0.com/oauth',
      scopes: ['offline_access'],
    }),
    wants: { scope: 'openid profile email offline_access', audience: 'https://api.example.com' },
    api: 'https://tenant.eu.auth0.com/userinfo',
  },
  keycloak: {
    preset: (options) => keycloak({ ...options, url: 'https://sso.example.com/', realm: 'demo' }),
    ...openId('https://sso.example.com/realms/demo', {
      at: 'https://sso.example.com/realms/demo/protocol/openid-connect',
      scopes: ['offline_access'],
      more: { authorization_response_iss_parameter_supported: true },
    }),
    wants: { scope: 'openid profile email offline_access' },
    api: 'https://sso.example.com/realms/demo/account',
  },
}
