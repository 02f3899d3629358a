import type { OAuthErrorResponse } from '../../shared/auth.ts'

/** An error of OAuth. */
export class OAuthError extends Error {
  static errorCode: string
  readonly errorUri?: string | undefined

  constructor(message: string, errorUri?: string) {
    super(message)
    this.errorUri = errorUri
    this.name = this.constructor.name
  }

  /** The body of the response. */
  toResponseObject(): OAuthErrorResponse {
    const response: OAuthErrorResponse = {
      error: this.errorCode,
      error_description: this.message,
    }
    if (this.errorUri) response.error_uri = this.errorUri
    return response
  }

  get errorCode(): string {
    return (this.constructor as typeof OAuthError).errorCode
  }
}

/** The request lacks something, or has it twice or wrong. */
export class InvalidRequestError extends OAuthError {
  static override errorCode = 'invalid_request'
}

/** The client is unknown or could not authenticate. */
export class InvalidClientError extends OAuthError {
  static override errorCode = 'invalid_client'
}

/** The code or token is invalid, expired, revoked, or another client's. */
export class InvalidGrantError extends OAuthError {
  static override errorCode = 'invalid_grant'
}

/** The client may not use this grant. */
export class UnauthorizedClientError extends OAuthError {
  static override errorCode = 'unauthorized_client'
}

/** The server does not know the grant. */
export class UnsupportedGrantTypeError extends OAuthError {
  static override errorCode = 'unsupported_grant_type'
}

/** A scope is unknown, or more than was granted. */
export class InvalidScopeError extends OAuthError {
  static override errorCode = 'invalid_scope'
}

/** The user or the server said no. */
export class AccessDeniedError extends OAuthError {
  static override errorCode = 'access_denied'
}

/** The server failed. */
export class ServerError extends OAuthError {
  static override errorCode = 'server_error'
}

/** The server is busy. */
export class TemporarilyUnavailableError extends OAuthError {
  static override errorCode = 'temporarily_unavailable'
}

/** The server does not know the response type. */
export class UnsupportedResponseTypeError extends OAuthError {
  static override errorCode = 'unsupported_response_type'
}

/** The server does not know the type of token. */
export class UnsupportedTokenTypeError extends OAuthError {
  static override errorCode = 'unsupported_token_type'
}

/** The access token is invalid, expired or revoked. */
export class InvalidTokenError extends OAuthError {
  static override errorCode = 'invalid_token'
}

/** The endpoint does not take this HTTP method. */
export class MethodNotAllowedError extends OAuthError {
  static override errorCode = 'method_not_allowed'
}

/** The client asks too often. */
export class TooManyRequestsError extends OAuthError {
  static override errorCode = 'too_many_requests'
}

/** A field of the registration is invalid. */
export class InvalidClientMetadataError extends OAuthError {
  static override errorCode = 'invalid_client_metadata'
}

/** The token lacks a scope. */
export class InsufficientScopeError extends OAuthError {
  static override errorCode = 'insufficient_scope'
}

/** The resource is unknown or not allowed. */
export class InvalidTargetError extends OAuthError {
  static override errorCode = 'invalid_target'
}

/** An error with a code of the program. */
export class CustomOAuthError extends OAuthError {
  private readonly customErrorCode: string

  constructor(customErrorCode: string, message: string, errorUri?: string) {
    super(message, errorUri)
    this.customErrorCode = customErrorCode
  }

  override get errorCode(): string {
    return this.customErrorCode
  }
}

/** The class of each code. */
export const OAUTH_ERRORS: { readonly [code: string]: typeof InvalidRequestError } = {
  [InvalidRequestError.errorCode]: InvalidRequestError,
  [InvalidClientError.errorCode]: InvalidClientError,
  [InvalidGrantError.errorCode]: InvalidGrantError,
  [UnauthorizedClientError.errorCode]: UnauthorizedClientError,
  [UnsupportedGrantTypeError.errorCode]: UnsupportedGrantTypeError,
  [InvalidScopeError.errorCode]: InvalidScopeError,
  [AccessDeniedError.errorCode]: AccessDeniedError,
  [ServerError.errorCode]: ServerError,
  [TemporarilyUnavailableError.errorCode]: TemporarilyUnavailableError,
  [UnsupportedResponseTypeError.errorCode]: UnsupportedResponseTypeError,
  [UnsupportedTokenTypeError.errorCode]: UnsupportedTokenTypeError,
  [InvalidTokenError.errorCode]: InvalidTokenError,
  [MethodNotAllowedError.errorCode]: MethodNotAllowedError,
  [TooManyRequestsError.errorCode]: TooManyRequestsError,
  [InvalidClientMetadataError.errorCode]: InvalidClientMetadataError,
  [InsufficientScopeError.errorCode]: InsufficientScopeError,
  [InvalidTargetError.errorCode]: InvalidTargetError,
}
