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

/** The kinds of errors; a closed set. */
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

/** Details of an {@link AuthError} besides its code and message. */
export interface AuthErrorOptions {
  /** Where on the way to a token it went wrong. */
  readonly step: AuthStep
  /** The authorization server, if one was found. */
  readonly issuer?: string | undefined
  /** The server that tokens were wanted for. */
  readonly resource?: string | undefined
  /** The fix, if it is known. */
  readonly hint?: string | undefined
  /** The scopes to request, if some are missing. */
  readonly scopes?: readonly string[] | undefined
  /** The error behind it. */
  readonly cause?: unknown
}

/** The only error of this package. Carries no token, code, verifier or secret. */
export class AuthError extends Error {
  /** Always `AuthError`. */
  override readonly name = 'AuthError'
  /** The kind of error, from a closed set. */
  readonly code: AuthErrorCode
  /** Where on the way to a token it went wrong. */
  readonly step: AuthStep
  /** The authorization server, if one was found. */
  readonly issuer?: string
  /** The server that tokens were wanted for. */
  readonly resource?: string
  /** The fix, if we know it. */
  readonly hint?: string
  /** The scopes to request, if some are missing: these, and all requested before. */
  readonly scopes?: readonly string[]

  /** For adapters; programs mostly catch it. */
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
