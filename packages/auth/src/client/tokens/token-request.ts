/**
 * One request to the token endpoint: parameters by the settings of the issuer, a DPoP proof if bound, and one repetition for a nonce. Errors
 * contain nothing of what was sent.
 *
 * Used for authorization codes, refresh tokens, assertions and client credentials.
 */

import {
  authorizationCodeGrantRequest,
  genericTokenEndpointRequest,
  isDPoPNonceError,
  processGenericTokenEndpointResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  validateAuthResponse,
  type TokenEndpointResponse,
} from 'oauth4webapi'

import { AuthError, isAuthError, type AuthStep } from '../../shared/auth-error.ts'
import { plainText } from '../../shared/json-document.ts'
import { authenticationOf, type ClientIdentity } from '../identity/client-identity.ts'
import type { TokenIssuer } from '../issuer/issuer-metadata.ts'
import { warnOfWeakening } from '../issuer/known-issuers.ts'
import { normalizeTokenResponse } from '../normalize.ts'
import { libraryOptions, type AuthHttp } from '../options.ts'
import type { DpopKey } from './dpop.ts'
import { notePresentedSecrets, type Presentation } from './presented-secrets.ts'

/** The credential for a token request. */
export type Presented =
  | {
      readonly kind: 'code'
      readonly code: string
      readonly redirectUri: string
      readonly verifier: string
    }
  | { readonly kind: 'refresh'; readonly refreshToken: string }
  | {
      readonly kind: 'other'
      readonly grantType: string
      readonly parameters: { readonly [name: string]: string }
    }

/** The client, the issuer and the server of a token request. */
interface TokenCall {
  readonly issuer: TokenIssuer
  readonly identity: ClientIdentity
  /** The server the token is for. */
  readonly resource: string
  readonly dpop: DpopKey | undefined
  readonly http: AuthHttp
}

/** How it went; only what nobody can go on from is thrown. */
type TokenResponse =
  | { readonly kind: 'token'; readonly token: TokenEndpointResponse }
  | { readonly kind: 'refused'; readonly error: string; readonly description: string }
  /** Nobody was reached, or somebody who cannot answer now; nothing is proved. */
  | { readonly kind: 'unavailable'; readonly why: string }

/** One request to the token endpoint, with the resource and the settings of the issuer; repeated once for a DPoP nonce. */
export async function requestToken(presented: Presented, call: TokenCall): Promise<TokenResponse> {
  const first = await attempt(presented, call)
  return first.kind === 'refused' && first.error === 'use_dpop_nonce' && call.dpop !== undefined
    ? attempt(presented, call)
    : first
}

async function attempt(presented: Presented, call: TokenCall): Promise<TokenResponse> {
  const { issuer, identity, http } = call
  const client = { client_id: identity.id || '-' } // the library wants one even where none is sent
  const authentication = await authenticationOf(identity, issuer)
  const noted = notePresentedSecrets(http.fetch)
  let status = 0
  try {
    const response = await send()
    status = response.status
    const token = await processGenericTokenEndpointResponse(issuer.server, client, response, {
      recognizedTokenTypes: { n_a: () => {} }, // what was exchanged may be no access token (RFC 8693)
    })
    return { kind: 'token', token }
  } catch (error) {
    if (http.signal.aborted) throw http.signal.reason
    return failure(error, status, noted)
  }

  function send(): Promise<Response> {
    const additionalParameters = extraParameters(call)
    const options = {
      ...libraryOptions({ ...http, fetch: noted.fetch }, normalizeTokenResponse),
      ...(call.dpop !== undefined && { DPoP: call.dpop.handle }),
      additionalParameters,
    }
    switch (presented.kind) {
      case 'code': {
        const { code, redirectUri, verifier } = presented
        // State and issuer were checked by us; the library wants to have seen the code itself.
        const parameters = new URLSearchParams({ code, state: 'checked' })
        const { authorization_response_iss_parameter_supported: _, ...server } = issuer.server
        const checked = validateAuthResponse(server, client, parameters, 'checked')
        return authorizationCodeGrantRequest(
          issuer.server,
          client,
          authentication,
          checked,
          redirectUri,
          verifier,
          options,
        )
      }
      case 'refresh':
        return refreshTokenGrantRequest(
          issuer.server,
          client,
          authentication,
          presented.refreshToken,
          options,
        )
      case 'other':
        return genericTokenEndpointRequest(
          issuer.server,
          client,
          authentication,
          presented.grantType,
          { ...additionalParameters, ...presented.parameters },
          options,
        )
    }
  }
}

/** `resource` as the settings of the issuer want it, as a parameter. */
export function resourceParameter(
  issuer: TokenIssuer,
  resource: string,
): { readonly resource?: string } {
  const { resource: preference = 'send' } = issuer.settings
  if (preference === 'omit') warnOfWeakening(issuer.id, 'resource')
  if (preference === 'omit') return {}
  return { resource: preference === 'send' ? resource : preference }
}

function extraParameters({ issuer, resource }: TokenCall): Record<string, string> {
  return { ...issuer.settings.tokenParams, ...resourceParameter(issuer, resource) }
}

/** Returns the error of a token request. Its text is shown to people and logged, so our credentials are removed from it. */
function failure(error: unknown, status: number, { clean }: Presentation): TokenResponse {
  if (error instanceof ResponseBodyError && error.status < 500 && error.status !== 429) {
    const { error: name, error_description = '' } = error
    return { kind: 'refused', error: clean(name), description: clean(error_description) }
  }
  if (isDPoPNonceError(error)) return { kind: 'refused', error: 'use_dpop_nonce', description: '' }
  if (error instanceof AuthError && error.code !== 'unreachable') throw error
  const isTheirs = status >= 300 && status < 500 && status !== 429 && status !== 408
  if (isTheirs || status === 200) {
    return { kind: 'refused', error: `status ${status}`, description: 'not an OAuth response' }
  }
  const why = error instanceof AuthError ? error.message : `status ${status}`
  return {
    kind: 'unavailable',
    why: status === 0 && !(error instanceof AuthError) ? 'no answer' : why,
  }
}

/** The answer's token, or why there is none, without a word of what was presented. */
export function tokenOf(
  answer: TokenResponse,
  call: TokenCall,
  step: AuthStep,
): TokenEndpointResponse {
  const { id: issuer } = call.issuer
  switch (answer.kind) {
    case 'token':
      return answer.token
    case 'unavailable':
      throw new AuthError('unreachable', `${issuer} cannot issue a token now: ${answer.why}`, {
        step,
        issuer,
      })
    case 'refused': {
      const detail = answer.description === '' ? '' : `: ${plainText(answer.description)}`
      throw new AuthError(
        'token_refused',
        `${issuer} refused to issue a token: ${plainText(answer.error, 60)}${detail}`,
        {
          step,
          issuer,
          resource: call.resource,
          hint: hintFor(answer, issuer),
          cause: new Error(plainText(answer.error, 60)),
        },
      )
    }
  }
}

/** The issuer does not know us, or not by what we presented. */
export function isUnknownClient(error: unknown): boolean {
  if (!isAuthError(error, 'token_refused') || !(error.cause instanceof Error)) return false
  return ['invalid_client', 'unauthorized_client'].includes(error.cause.message)
}

function hintFor(
  { error, description }: { readonly error: string; readonly description: string },
  issuer: string,
): string | undefined {
  if (description.includes('AADSTS9010010') || error === 'invalid_target') {
    return `It rejects the resource parameter. Set issuers: { '${issuer}': { resource: 'omit' } }, or the resource that it expects.`
  }
  if (error === 'invalid_client') {
    return `Check the client id and secret for ${issuer}, and authMethod in its settings.`
  }
  if (error === 'invalid_scope') return 'Set the option scopes to the scopes to request.'
  return undefined
}
