import type { TokenEndpointResponse } from 'oauth4webapi'

import { AuthError, isAuthError, type AuthStep } from '../../shared/auth-error.ts'
import { plainText } from '../../shared/plain-text.ts'
import type { TokenResponse, TokenCall } from './token-request.ts'

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
      const said = answer.description === '' ? '' : `: ${plainText(answer.description)}`
      throw new AuthError(
        'token_refused',
        `${issuer} refused to issue a token: ${plainText(answer.error, 60)}${said}`,
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
