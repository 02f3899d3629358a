import type { ProviderClaims } from './provider-options.ts'

/** What was sent along, to be compared with what comes back. */
export interface AuthorizationRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** What a provider gave us for somebody. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  /** Of the access token, in milliseconds since 1970; undefined if it does not expire. */
  readonly expiresAt?: number | undefined
}

/** Somebody who came back from a provider. */
export interface AuthorizationResult {
  readonly claims: ProviderClaims
  readonly tokens: ProviderTokens
}

/** New tokens, and the id of the account they are for if the answer says so. */
export interface Renewal {
  readonly tokens: ProviderTokens
  readonly sub?: string | undefined
}

/** Us as a client of a provider. */
export interface ProviderClient {
  /** Where to send the browser. */
  begin(authorizationRequest: AuthorizationRequest): Promise<URL>
  /** Who came back. Throws unless everything fits. */
  complete(
    callback: URLSearchParams,
    authorizationRequest: AuthorizationRequest,
  ): Promise<AuthorizationResult>
  /** Undefined if it does not know them any more. Throws if it cannot be asked. */
  renew(refreshToken: string): Promise<Renewal | undefined>
  /** Whose an access token is; undefined if nobody's any more. Throws if that cannot be found out. */
  identify?(accessToken: string): Promise<string | undefined>
}

/** What a client needs besides the provider. */
export interface ProviderContext {
  readonly redirectUri: string
  /** Bounded in time and bytes, and without redirects. */
  readonly fetch: typeof fetch
  readonly now: () => number
}
