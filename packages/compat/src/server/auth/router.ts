/**
 * `@modelcontextprotocol/sdk/server/auth/router.js`: routers of Express with the endpoints of an authorization server and with metadata.
 *
 * Decides which endpoints there are and says so in the metadata; what each answers is in `handlers/`. The provider of the program
 * decides who may sign in.
 */

import express, { type RequestHandler } from 'express'

import type { OAuthMetadata, OAuthProtectedResourceMetadata } from '../../shared/auth.ts'
import { type AuthorizationHandlerOptions, authorizationHandler } from './handlers/authorize.ts'
import { metadataHandler } from './handlers/metadata.ts'
import {
  type ClientRegistrationHandlerOptions,
  clientRegistrationHandler,
} from './handlers/register.ts'
import { type RevocationHandlerOptions, revocationHandler } from './handlers/revoke.ts'
import { type TokenHandlerOptions, tokenHandler } from './handlers/token.ts'
import type { OAuthServerProvider } from './provider.ts'

export type AuthRouterOptions = {
  provider: OAuthServerProvider
  /** Names the authorization server: `https`, without query and fragment. */
  issuerUrl: URL
  /** Where the endpoints are; the issuer without it. */
  baseUrl?: URL
  serviceDocumentationUrl?: URL
  scopesSupported?: string[]
  resourceName?: string
  /** The MCP server; the authorization server without it. */
  resourceServerUrl?: URL
  authorizationOptions?: Omit<AuthorizationHandlerOptions, 'provider'>
  clientRegistrationOptions?: Omit<ClientRegistrationHandlerOptions, 'clientsStore'>
  revocationOptions?: Omit<RevocationHandlerOptions, 'provider'>
  tokenOptions?: Omit<TokenHandlerOptions, 'provider'>
}

const isInsecureAllowed = (): boolean =>
  ['true', '1'].includes(process.env['MCP_DANGEROUSLY_ALLOW_INSECURE_ISSUER_URL'] ?? '')

function assertIssuer({ protocol, hostname, hash, search, href }: URL): void {
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  if (protocol !== 'https:' && !isLocal && !isInsecureAllowed()) {
    throw new Error('Issuer URL must be HTTPS')
  }
  if (hash) throw new Error(`Issuer URL must not have a fragment: ${href}`)
  if (search) throw new Error(`Issuer URL must not have a query string: ${href}`)
}

/** Returns what the authorization server says of itself. */
export const createOAuthMetadata = ({
  provider,
  issuerUrl,
  baseUrl,
  serviceDocumentationUrl,
  scopesSupported,
}: {
  provider: OAuthServerProvider
  issuerUrl: URL
  baseUrl?: URL
  serviceDocumentationUrl?: URL
  scopesSupported?: string[]
}): OAuthMetadata => {
  assertIssuer(issuerUrl)
  const at = (path: string): string => new URL(path, baseUrl ?? issuerUrl).href
  const canRegister = provider.clientsStore.registerClient !== undefined
  const canRevoke = provider.revokeToken !== undefined
  return {
    issuer: issuerUrl.href,
    service_documentation: serviceDocumentationUrl?.href,
    authorization_endpoint: at('/authorize'),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint: at('/token'),
    token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: scopesSupported,
    revocation_endpoint: canRevoke ? at('/revoke') : undefined,
    revocation_endpoint_auth_methods_supported: canRevoke ? ['client_secret_post'] : undefined,
    registration_endpoint: canRegister ? at('/register') : undefined,
  }
}

/** Returns a router with all endpoints of an authorization server. It has to be at the root of the application. */
export function mcpAuthRouter(options: AuthRouterOptions): RequestHandler {
  const { provider, scopesSupported, resourceName, serviceDocumentationUrl } = options
  const oauthMetadata = createOAuthMetadata(options)
  const path = (url: string | undefined): string => new URL(url ?? '').pathname
  const router = express.Router()
  router.use(
    path(oauthMetadata.authorization_endpoint),
    authorizationHandler({ provider, ...options.authorizationOptions }),
  )
  router.use(
    path(oauthMetadata.token_endpoint),
    tokenHandler({ provider, ...options.tokenOptions }),
  )
  router.use(
    mcpAuthMetadataRouter({
      oauthMetadata,
      resourceServerUrl:
        options.resourceServerUrl ?? options.baseUrl ?? new URL(oauthMetadata.issuer),
      serviceDocumentationUrl,
      scopesSupported,
      resourceName,
    }),
  )
  if (oauthMetadata.registration_endpoint) {
    router.use(
      path(oauthMetadata.registration_endpoint),
      clientRegistrationHandler({
        clientsStore: provider.clientsStore,
        ...options.clientRegistrationOptions,
      }),
    )
  }
  if (oauthMetadata.revocation_endpoint) {
    router.use(
      path(oauthMetadata.revocation_endpoint),
      revocationHandler({ provider, ...options.revocationOptions }),
    )
  }
  return router
}

export type AuthMetadataOptions = {
  /** The metadata of the authorization server. */
  oauthMetadata: OAuthMetadata
  resourceServerUrl: URL
  serviceDocumentationUrl?: URL
  scopesSupported?: string[]
  resourceName?: string
}

/** Returns a router with the metadata of an MCP server and of its authorization server. */
export function mcpAuthMetadataRouter({
  oauthMetadata,
  resourceServerUrl,
  serviceDocumentationUrl,
  scopesSupported,
  resourceName,
}: AuthMetadataOptions): express.Router {
  assertIssuer(new URL(oauthMetadata.issuer))
  const metadata: OAuthProtectedResourceMetadata = {
    resource: resourceServerUrl.href,
    authorization_servers: [oauthMetadata.issuer],
    scopes_supported: scopesSupported,
    resource_name: resourceName,
    resource_documentation: serviceDocumentationUrl?.href,
  }
  const router = express.Router()
  const { pathname } = new URL(getOAuthProtectedResourceMetadataUrl(resourceServerUrl))
  router.use(pathname, metadataHandler(metadata))
  router.use('/.well-known/oauth-authorization-server', metadataHandler(oauthMetadata))
  return router
}

/** Returns where the metadata of an MCP server is (RFC 9728). */
export function getOAuthProtectedResourceMetadataUrl(serverUrl: URL): string {
  const path = serverUrl.pathname === '/' ? '' : serverUrl.pathname
  return new URL(`/.well-known/oauth-protected-resource${path}`, serverUrl).href
}
