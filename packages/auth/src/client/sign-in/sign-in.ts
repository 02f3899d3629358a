/**
 * The two requests of the authorization code flow: the address a person is sent to, and the exchange of the code. Requires PKCE with S256,
 * and checks issuer, state and redirect.
 *
 * Opens no browser and stores nothing: `interactive.ts`, `two-step.ts` and `silent.ts` do.
 */

import {
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
} from 'oauth4webapi'

import { AuthError } from '../../shared/auth-error.ts'
import { grantFrom, type Grant } from '../grants/grant.ts'
import type { ClientIdentity } from '../identity/client-identity.ts'
import type { TokenIssuer } from '../issuer/issuer-metadata.ts'
import { warnOfWeakening } from '../issuer/known-issuers.ts'
import type { Target } from '../issuer/target.ts'
import type { PrivateJwk, TokenOptions, AuthHttp } from '../options.ts'
import { createDpopKey, restoreDpopKey } from '../tokens/dpop.ts'
import { tokenOf, requestToken, resourceParameter } from '../tokens/token-request.ts'
import { readCallback } from './callback.ts'

/** Everything to remember while a person is at the issuer. Plain JSON, and secret. */
export interface PendingSignIn {
  readonly resource: string
  /** Where the answer must come from, noted before anybody leaves. */
  readonly issuer: TokenIssuer
  readonly identity: ClientIdentity
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string
  readonly verifier: string
  readonly dpopJwk?: PrivateJwk | undefined
  readonly requiresDpop: boolean
}

/** A sign-in: the client, the server, and the scopes. */
export interface SignInRequest {
  readonly target: Target
  readonly identity: ClientIdentity
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly dpop: TokenOptions['dpop']
}

/** The address a person is sent to, and what to remember meanwhile. */
export async function startSignIn({
  target,
  identity,
  redirectUri,
  scopes,
  dpop,
}: SignInRequest): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> {
  const { issuer, resource } = target
  requirePkce(issuer)
  const key = await chooseDpopKey(target, dpop)
  const pending: PendingSignIn = {
    resource,
    issuer,
    identity,
    redirectUri,
    scopes,
    state: generateRandomState(),
    verifier: generateRandomCodeVerifier(),
    requiresDpop: dpop === 'required' || target.dpop === 'required',
    ...(key !== undefined && { dpopJwk: key.jwk }),
  }
  const url = new URL(requireEndpoint(issuer))
  const parameters = {
    ...issuer.settings.authorizeParams,
    response_type: 'code',
    client_id: identity.id,
    redirect_uri: redirectUri,
    state: pending.state,
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...resourceParameter(issuer, resource),
    ...(key !== undefined && { dpop_jkt: await key.handle.calculateThumbprint() }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url, pending }
}

/** The code of a callback, if it is the answer to what was started. */
export function codeIn(callback: URL, { issuer, redirectUri, state }: PendingSignIn): string {
  return readCallback(callback, {
    redirectUri,
    state,
    issuer: issuer.id,
    issuerTemplate: issuer.settings.issuerTemplate,
    sendsIssuer: issuer.server.authorization_response_iss_parameter_supported === true,
  })
}

/** Turns a code into a grant. */
export async function finishSignIn(
  pending: PendingSignIn,
  code: string,
  http: AuthHttp,
): Promise<Grant> {
  const { issuer, identity, redirectUri, verifier, dpopJwk } = pending
  const dpop = dpopJwk === undefined ? undefined : await restoreDpopKey(dpopJwk)
  const call = { issuer, identity, resource: pending.resource, dpop, http }
  const answer = await requestToken({ kind: 'code', code, redirectUri, verifier }, call)
  const token = tokenOf(answer, call, 'token')
  if (pending.requiresDpop) requireBound(token.token_type, issuer)
  const origin = { identity, requested: pending.scopes, dpopJwk }
  return grantFrom(token, origin, Date.now())
}

/** No PKCE, no sign-in: an issuer that does not list S256 might ignore it, and a stolen code would be enough. */
function requirePkce({ id, server, settings }: TokenIssuer): void {
  if (server.code_challenge_methods_supported?.includes('S256')) return
  if (settings.assumePkceS256) return warnOfWeakening(id, 'pkce')
  throw new AuthError('pkce_unsupported', `${id} does not announce PKCE with S256`, {
    step: 'authorize',
    issuer: id,
    hint: `If it supports PKCE anyway, set issuers: { '${id}': { assumePkceS256: true } }.`,
  })
}

function requireEndpoint({ id, server }: TokenIssuer): string {
  if (server.authorization_endpoint !== undefined) return server.authorization_endpoint
  throw new AuthError('metadata_invalid', `${id} has no authorization_endpoint`, {
    step: 'authorize',
    issuer: id,
    hint: 'Users cannot sign in there. Programs may, with clientCredentialsAuth().',
  })
}

/** A key for this grant where the issuer can bind tokens to one and the server takes them, or where they must be bound. */
export async function chooseDpopKey(
  { issuer, dpop }: Target,
  preference: TokenOptions['dpop'] = 'optional',
) {
  const isRequired = preference === 'required' || dpop === 'required'
  if (!isRequired && dpop === 'off') return undefined
  const can = issuer.server.dpop_signing_alg_values_supported?.includes('ES256') === true
  if (can && preference !== 'off') return createDpopKey()
  if (!isRequired) return undefined
  throw new AuthError(
    'metadata_invalid',
    `${issuer.id} does not support tokens bound to a key (DPoP with ES256)`,
    {
      step: 'authorize',
      issuer: issuer.id,
    },
  )
}

/** A bearer token where a bound one is demanded is a downgrade. */
export function requireBound(tokenType: string, { id }: TokenIssuer): void {
  if (tokenType === 'dpop') return
  throw new AuthError('token_refused', `${id} issued a token that is not bound to our key`, {
    step: 'token',
    issuer: id,
  })
}
