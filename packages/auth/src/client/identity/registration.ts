import { isLoopbackHost } from '@parley/mcp/address'
import { parseJsonObject } from '@parley/mcp/json'
import {
  dynamicClientRegistrationRequest,
  processDynamicClientRegistrationResponse,
  ResponseBodyError,
} from 'oauth4webapi'

import { AuthError, isAuthError } from '../../shared/auth-error.ts'
import { stringsOf, plainText } from '../../shared/json-document.ts'
import type { StoreKey, TokenStore } from '../grants/token-store.ts'
import type { TokenIssuer } from '../issuer/issuer-metadata.ts'
import { normalizeRegistrationResponse } from '../normalize.ts'
import { type AuthMethod, libraryOptions, type AuthHttp } from '../options.ts'
import { decodeIdentity, isRegisteredMethod, type ClientIdentity } from './client-identity.ts'

/** The data about us that an issuer registers. */
export interface Registration {
  readonly redirectUri: string
  readonly clientName: string
}

/** Registers with an issuer (RFC 7591), and once more with a secret if it does not want clients without one. */
export async function register(
  issuer: TokenIssuer,
  registration: Registration,
  http: AuthHttp,
): Promise<ClientIdentity> {
  const listed = issuer.server.token_endpoint_auth_methods_supported
  const isPublic = listed === undefined || listed.includes('none')
  const first = await attempt(isPublic ? 'none' : confidential(listed))
  if (!(first instanceof AuthError)) return first
  const second = isPublic && listed === undefined ? await attempt('client_secret_basic') : first
  if (second instanceof AuthError) throw first
  return second

  async function attempt(method: AuthMethod): Promise<ClientIdentity | AuthError> {
    const { redirectUri, clientName } = registration
    const wanted = {
      client_name: clientName,
      redirect_uris: [redirectUri],
      application_type: applicationType(redirectUri),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method,
    }
    let status = 0
    try {
      const options = libraryOptions(http, normalizeRegistrationResponse)
      const response = await dynamicClientRegistrationRequest(issuer.server, wanted, options)
      ;({ status } = response)
      const registered = await processDynamicClientRegistrationResponse(response)
      return identityFrom(registered, redirectUri, issuer)
    } catch (error) {
      if (http.signal.aborted) throw http.signal.reason
      if (isAuthError(error)) throw error
      if (status === 0 || status >= 500) throw unavailable(issuer, status)
      return rejected(error, status, issuer)
    }
  }
}

function identityFrom(
  metadata: { readonly [name: string]: unknown },
  redirectUri: string,
  issuer: TokenIssuer,
): ClientIdentity {
  const registered = stringsOf(metadata['redirect_uris'])
  if (registered !== undefined && !registered.includes(redirectUri)) {
    throw new AuthError(
      'registration_refused',
      `${issuer.id} registered a different redirect URI from the one requested`,
      {
        step: 'registration',
        issuer: issuer.id,
      },
    )
  }
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } =
    metadata
  const expiresAt = Number(client_secret_expires_at ?? 0) * 1000
  return {
    id: String(client_id),
    source: 'registered',
    redirectUri,
    ...(typeof client_secret === 'string' && { secret: client_secret }),
    ...(expiresAt > 0 && { expiresAt }),
    ...(isRegisteredMethod(token_endpoint_auth_method) && { method: token_endpoint_auth_method }),
  }
}

function confidential(listed: readonly string[]): AuthMethod {
  return listed.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post'
}

/** A program on somebody's machine, or a site. */
export function applicationType(redirectUri: string): 'native' | 'web' {
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'https:' && !isLoopbackHost(hostname) ? 'web' : 'native'
}

function rejected(error: unknown, status: number, { id }: TokenIssuer): AuthError {
  const detail =
    error instanceof ResponseBodyError
      ? `: ${plainText(error.error, 60)} ${plainText(error.error_description ?? '')}`.trimEnd()
      : `, status ${status}`
  return new AuthError(
    'registration_refused',
    `${id} does not let clients register themselves${detail}`,
    {
      step: 'registration',
      issuer: id,
      hint: `Register a client there yourself, and set its clientId for '${id}' in the option issuers.`,
    },
  )
}

function unavailable({ id }: TokenIssuer, status: number): AuthError {
  const why = status === 0 ? 'no answer' : `status ${status}`
  return new AuthError('unreachable', `${id} cannot register clients now: ${why}`, {
    step: 'registration',
    issuer: id,
  })
}

/** Registrations are kept by issuer, so that none is ever used at another. */
export function registrationKey(issuer: string): StoreKey {
  return { kind: 'registration', issuer }
}

/** Keeps a registration for the next sign-in at that issuer. */
export async function keepRegistration(
  store: TokenStore,
  issuer: string,
  { id, secret, expiresAt, method, redirectUri }: ClientIdentity,
): Promise<void> {
  const value = JSON.stringify({ id, secret, expiresAt, method, redirectUri })
  await store.set(registrationKey(issuer), { version: crypto.randomUUID(), value })
}

/** The registration we have with an issuer, if any. */
export async function findRegistration(
  store: TokenStore,
  issuer: string,
): Promise<ClientIdentity | undefined> {
  const stored = await store.get(registrationKey(issuer))
  const identity = decodeIdentity(stored && parseJsonObject(stored.value))
  const isOver = identity?.expiresAt !== undefined && identity.expiresAt <= Date.now()
  return isOver ? undefined : identity
}
