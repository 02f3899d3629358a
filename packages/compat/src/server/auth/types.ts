/** The content of a checked access token. */
export interface AuthInfo {
  token: string
  /** The client it was issued to. */
  clientId: string
  scopes: string[]
  /** Seconds since 1970. */
  expiresAt?: number
  /** The resource server it is for (RFC 8707). */
  resource?: URL
  /** Whatever the verifier adds. */
  extra?: Record<string, unknown>
}
