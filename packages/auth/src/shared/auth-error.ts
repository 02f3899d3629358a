/** Which part of signing in or checking a token went wrong. */
export type AuthStep =
  | 'challenge'
  | 'resource'
  | 'issuer'
  | 'registration'
  | 'authorize'
  | 'callback'
  | 'token'
  | 'refresh'
  | 'revoke'
  | 'store'
  | 'verify'

/** What went wrong; a closed set. */
export type AuthErrorCode =
  | 'no_challenge'
  | 'resource_mismatch'
  | 'metadata_not_found'
  | 'metadata_invalid'
  | 'issuer_mismatch'
  | 'pkce_unsupported'
  | 'client_id_needed'
  | 'registration_refused'
  | 'address_refused'
  | 'sign_in_cancelled'
  | 'sign_in_timeout'
  | 'state_mismatch'
  | 'access_denied'
  | 'token_refused'
  | 'grant_lost'
  | 'insufficient_scope'
  | 'store_failed'
  | 'unreachable'
  | 'token_invalid'

/** What an {@link AuthError} knows besides its code and message. */
export interface AuthErrorOptions {
  readonly step: AuthStep
  readonly issuer?: string | undefined
  readonly resource?: string | undefined
  readonly hint?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly cause?: unknown
}

/** The only error of this package. Carries no token, code, verifier or secret. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly code: AuthErrorCode
  readonly step: AuthStep
  readonly issuer?: string
  readonly resource?: string
  /** What to change, when we know it. */
  readonly hint?: string
  /** What to ask for, where scopes are missing: these, and all that were asked for before. */
  readonly scopes?: readonly string[]

  constructor(code: AuthErrorCode, message: string, options: AuthErrorOptions) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.code = code
    this.step = options.step
    if (options.issuer !== undefined) this.issuer = options.issuer
    if (options.resource !== undefined) this.resource = options.resource
    if (options.hint !== undefined) this.hint = options.hint
    if (options.scopes !== undefined) this.scopes = options.scopes
  }
}

/** Narrows to an error of this package, and to one code if given; holds across copies of it. */
export function isAuthError(error: unknown, code?: AuthErrorCode): error is AuthError {
  if (!(error instanceof Error) || error.name !== 'AuthError' || !('step' in error)) return false
  return code === undefined || ('code' in error && error.code === code)
}
