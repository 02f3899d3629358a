/**
 * The configuration of `oidc-provider` for the authorization server: features, cookies, token lifetimes, and everything it would do by
 * default that is switched off here.
 *
 * Settings of users are resolved in `settings.ts`; pages and requests are in `request-handler.ts`.
 */

import type * as OidcProvider from 'oidc-provider'
import type { Client, Configuration, KoaContextWithOIDC, interactionPolicy } from 'oidc-provider'

import { parseUrl } from '../../shared/url-rules.ts'
import { fetchClientDocument, isDocumentUrl } from '../clients/client-document.ts'
import { describeClients } from '../clients/known-clients.ts'
import { renderRejection } from '../pages/refusal.ts'
import type { RateLimit } from '../rate-limit.ts'
import type { Settings } from '../settings.ts'
import { findAccount, tokenClaims } from '../sign-in/accounts.ts'
import { findGrant } from '../sign-in/consents.ts'
import type { SignInProviders } from '../third-party/third-parties.ts'
import type { KeySet } from '../tokens/keys.ts'
import { describeResource, serverScopes } from '../tokens/scopes.ts'
import { createAdapter } from './adapter.ts'
import { routes, signInPath } from './metadata.ts'

const hour = 3600
const day = 24 * hour

/** All that the provider is told. What it would do by itself and we do not want is switched off here. */
export function configureProvider(
  settings: Settings,
  keys: KeySet,
  {
    library: { errors, interactionPolicy },
    documentLimit,
    signInProviders,
  }: {
    readonly library: Pick<typeof OidcProvider, 'errors' | 'interactionPolicy'>
    readonly documentLimit: RateLimit
    readonly signInProviders: SignInProviders
  },
): Configuration {
  return {
    adapter: (kind: string) => {
      return createAdapter(
        kind,
        { ...settings, onRevoked: signInProviders.tokens.releaseGrant },
        errors,
      )
    },
    jwks: { keys: keys.signing.map((key) => ({ ...key })) },
    clients: describeClients(settings),
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'client_secret_basic',
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: {
      clientAuthSigningAlgValues: ['ES256', 'RS256', 'PS256', 'EdDSA'],
      idTokenSigningAlgValues: ['ES256'],
      dPoPSigningAlgValues: ['ES256', 'EdDSA'],
    },
    responseTypes: ['code'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    scopes: [...serverScopes],
    claims: { openid: ['sub'] },
    routes,
    cookies: describeCookies(settings, keys.secret),
    ttl: {
      AccessToken: settings.accessTokenSeconds,
      ClientCredentials: settings.accessTokenSeconds,
      AuthorizationCode: 60,
      IdToken: 10 * 60,
      Interaction: hour,
      Session: 8 * hour,
      RefreshToken: 30 * day,
      Grant: 90 * day,
    },
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    findAccount: (...params) => findAccount(params, { settings, signInProviders, errors }),
    extraTokenClaims: (_context, token) => tokenClaims(token, settings),
    loadExistingGrant: (context) => findGrant(context, settings),
    interactions: describeInteractions(interactionPolicy, settings),
    renderError: (context, out) => renderRejection(context, out, settings),
    clientBasedCORS: (_context, origin, client) => isOwnOrigin(origin, client),
    fetch: (url, init) => fetchForProvider(new URL(url), init, settings),
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: {
        enabled: true,
        // Every registered client gets a secret; only configured ones may introspect tokens of others (RFC 7662 section 2.1).
        allowedPolicy: async (_context, client, token) => {
          return isKnownSecretly(client.clientId, settings) || token.clientId === client.clientId
        },
      },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      registration: { enabled: settings.registration === 'on', initialAccessToken: false },
      dPoP: { enabled: true },
      clientIdMetadataDocument: {
        enabled: settings.clientDocuments === 'on',
        ack: 'draft-02',
        cacheDuration: { min: 60, max: day },
        async allowFetch(_context: KoaContextWithOIDC, id: string) {
          const isFlood = documentLimit.waitMs('') > 0
          documentLimit.count('')
          return !isFlood && isDocumentUrl(id)
        },
        allowClient: async () => true,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => String(settings.resources[0]),
        useGrantedResource: async () => true,
        getResourceServerInfo: async (context, named, client) => {
          const resource = describeResource(context, named, client, settings)
          if (resource === undefined) throw new errors.InvalidTarget('unknown resource')
          return resource
        },
      },
    },
  }
}

/** Whether a client was agreed on and proves itself. */
function isKnownSecretly(id: string, { clients }: Settings): boolean {
  const client = clients.find(({ clientId }) => clientId === id)
  return client?.clientSecret !== undefined || client?.keys !== undefined
}

/** A page may read answers about a client that comes back to its own origin. */
function isOwnOrigin(origin: string, client: Client): boolean {
  return (client.redirectUris ?? []).some((uri) => parseUrl(uri)?.origin === origin)
}

/** The provider asks for documents and keys of clients; nothing else goes out. */
async function fetchForProvider(
  url: URL,
  init: RequestInit | undefined,
  settings: Settings,
): Promise<Response> {
  const wantsDocument = init?.redirect === 'manual'
  if (wantsDocument) return fetchClientDocument(url.href, settings)
  return settings.fetch(url, { headers: { accept: 'application/json' } })
}

/** The cookies of browsers that sign in here. */
function describeCookies(
  { issuerUrl, basePath }: Settings,
  secret: string,
): NonNullable<Configuration['cookies']> {
  const isSecure = issuerUrl.protocol === 'https:'
  const options = { httpOnly: true, sameSite: 'lax', signed: true, secure: isSecure } as const
  const tail = basePath === '' ? '' : `-${Buffer.from(basePath).toString('base64url')}`
  return {
    keys: [secret],
    long: options,
    short: options,
    names: {
      // The other two have paths of their own, which `__Host-` does not allow.
      session: `${isSecure ? '__Host-' : ''}parley-session${tail}`,
      interaction: `${isSecure ? '__Secure-' : ''}parley-sign-in${tail}`,
      resume: `${isSecure ? '__Secure-' : ''}parley-resume${tail}`,
    },
  }
}

/** When people are asked to sign in or to agree: as the provider has it, and if a session is of somebody who is gone. */
function describeInteractions(
  { base, Check }: typeof interactionPolicy,
  { basePath }: Settings,
): NonNullable<Configuration['interactions']> {
  const policy = base()
  const check = new Check(
    'account_gone',
    'End-User authentication is required',
    'login_required',
    isClosed,
  )
  policy.get('login')?.checks.add(check)
  return {
    policy,
    url: (_context, { uid }) => `${basePath}${signInPath}/${uid}`,
  }
}

function isClosed({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.session?.accountId !== undefined && oidc.account === undefined
}
