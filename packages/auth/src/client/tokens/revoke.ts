/**
 * Signing out: deletes the tokens of a server from the store, then revokes them at the issuer (RFC 7009). The tokens are gone from the store
 * whatever the issuer answers.
 */

import { parseJsonObject } from '@parley/mcp/json'
import { revocationRequest } from 'oauth4webapi'

import { isAuthError, AuthError } from '../../shared/auth-error.ts'
import type { Grant } from '../grants/grant.ts'
import { read } from '../grants/refresh.ts'
import { recallServer } from '../grants/server-grants.ts'
import type { StoreKey, TokenStore } from '../grants/token-store.ts'
import { findIdentity } from '../identity/choose-identity.ts'
import { type ClientIdentity, authenticationOf } from '../identity/client-identity.ts'
import { registrationKey } from '../identity/registration.ts'
import { findIssuer, type TokenIssuer } from '../issuer/issuer-metadata.ts'
import { settingsFor } from '../issuer/known-issuers.ts'
import { probe } from '../issuer/resource-metadata.ts'
import { findTarget } from '../issuer/target.ts'
import { createAuthHttp, type AuthHttp, libraryOptions } from '../options.ts'
import { storeOf, type BeginSignInOptions } from '../sign-in/two-step.ts'
import { grantKey } from '../strategy.ts'

/** How signing out went. Whatever it says, the tokens are in the store no longer. */
export type SignOutResult =
  /** There were no tokens. */
  | { readonly kind: 'absent' }
  | {
      /** The issuer has revoked the tokens. */
      readonly kind: 'revoked'
      /** The issuer that gave the tokens. */
      readonly issuer: string
    }
  /** The issuer has no revocation endpoint: its tokens are good until they expire, for whoever has a copy. */
  | {
      readonly kind: 'unsupported'
      /** The issuer that gave the tokens. */
      readonly issuer: string
    }
  /** It was asked, or should have been, and did not do it. */
  | {
      readonly kind: 'failed'
      /** The issuer that gave the tokens. */
      readonly issuer: string
      /** The problem, for people. */
      readonly why: string
    }

/** The same options as for signing in; with your own client id and secret, pass them here too. */
export interface SignOutOptions extends BeginSignInOptions {
  /** Stops waiting for the issuer. */
  readonly signal?: AbortSignal | undefined
}

const lockMs = 30_000

/**
 * Signs out: the tokens for a server are forgotten, then taken back where the issuer can do that (RFC 7009). Takes the
 * address of the server, which need not be there any more, or the key that a store saw. A client that is connected with
 * these tokens has them in memory: close it first.
 */
export async function signOut(
  where: string | URL | StoreKey,
  options: SignOutOptions = {},
): Promise<SignOutResult> {
  const store = await storeOf(options)
  const { signal = new AbortController().signal, network = 'public' } = options
  const isAddress = typeof where === 'string' || where instanceof URL
  const server = new URL(isAddress ? where : (where.resource ?? where.issuer))
  const http = createAuthHttp(server, signal, options.fetch, network)
  const key = isAddress ? await keyAt(server, store, options, http) : where
  const grant = await takeOut(store, key)
  if (grant === undefined) return { kind: 'absent' }
  try {
    return await takeBack(grant, key, store, options, http)
  } catch (error) {
    if (!isAuthError(error)) throw error
    return { kind: 'failed', issuer: key.issuer, why: error.message }
  }
}

async function keyAt(
  server: URL,
  store: TokenStore,
  options: SignOutOptions,
  http: AuthHttp,
): Promise<StoreKey> {
  const noted = await recallServer(store, server, options.account)
  if (noted !== undefined) return noted
  const isKnown = async (issuer: string) => (await store.get(registrationKey(issuer))) !== undefined
  const target = await findTarget(server, await probe(server, http), http, options, isKnown)
  return grantKey(target, options.account)
}

/** Under the lock, so that nobody refreshes meanwhile and keeps what we do not know of. */
function takeOut(store: TokenStore, key: StoreKey): Promise<Grant | undefined> {
  return store.withLock(
    key,
    async () => {
      const stored = read(await store.get(key))
      await store.delete(key)
      return stored?.grant
    },
    { timeoutMs: lockMs },
  )
}

async function takeBack(
  grant: Grant,
  key: StoreKey,
  store: TokenStore,
  options: SignOutOptions,
  http: AuthHttp,
): Promise<SignOutResult> {
  const issuer = await findIssuer(key.issuer, settingsFor(key.issuer, options.issuers), http)
  if (issuer.server.revocation_endpoint === undefined)
    return { kind: 'unsupported', issuer: issuer.id }
  const identity = await identityOf(grant, issuer, key, store, options)
  const call = { issuer, identity, http }
  const { refreshToken, accessToken } = grant
  // First what could make new ones. Issuers drop what was made of it too, or say that they cannot.
  if (refreshToken !== undefined) await requestRevocation(refreshToken, 'refresh_token', call)
  const last = await requestRevocation(accessToken, 'access_token', call)
  const isDone = refreshToken !== undefined || last === 'done'
  return { kind: isDone ? 'revoked' : 'unsupported', issuer: issuer.id }
}

/** Returns the client that the tokens were issued to. */
async function identityOf(
  { registered, clientId }: Grant,
  issuer: TokenIssuer,
  { resource = '' }: StoreKey,
  store: TokenStore,
  options: SignOutOptions,
): Promise<ClientIdentity> {
  if (registered !== undefined) return registered
  const client = await findIdentity(issuer, options, store, resource)
  if (client?.id === clientId) return client
  return { id: clientId, source: 'configured' }
}

/** A request to revoke a token. */
export interface RevocationCall {
  readonly issuer: TokenIssuer
  readonly identity: ClientIdentity
  readonly http: AuthHttp
}

/** One request to the revocation endpoint. `unsupported`: tokens of this kind cannot be taken back there. */
async function requestRevocation(
  token: string,
  kind: 'refresh_token' | 'access_token',
  { issuer, identity, http }: RevocationCall,
): Promise<'done' | 'unsupported'> {
  const { error, status } = await send()
  if (status >= 200 && status < 300) return 'done' // also for a token it does not know: that one is good for nothing
  if (error === 'unsupported_token_type') return 'unsupported'
  throw new AuthError(
    status === 0 || status >= 500 ? 'unreachable' : 'token_refused',
    `${issuer.id} did not revoke the token: ${error === '' ? `status ${status}` : error}`,
    { step: 'revoke', issuer: issuer.id },
  )

  async function send(): Promise<{ readonly status: number; readonly error: string }> {
    const client = { client_id: identity.id }
    const authentication = await authenticationOf(identity, issuer)
    try {
      const response = await revocationRequest(issuer.server, client, authentication, token, {
        ...libraryOptions(http, async (answer) => answer),
        additionalParameters: { token_type_hint: kind },
      })
      const body = parseJsonObject(await response.text())
      return { status: response.status, error: nameOf(body?.['error'], token) }
    } catch (cause) {
      if (http.signal.aborted) throw http.signal.reason
      if (isAuthError(cause)) throw cause
      return { status: 0, error: 'no answer' }
    }
  }
}

/** An error as OAuth names them, and nothing that could be of the token. */
function nameOf(error: unknown, token: string): string {
  const isName = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error)
  return isName && !token.includes(error) ? error : ''
}
