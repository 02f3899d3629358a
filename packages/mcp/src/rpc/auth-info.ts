/** Who is calling, as verified by a guard. There is no raw token in it. */
export interface AuthInfo {
  /** Who vouches for the caller: the `iss` of a token, or `api-key` for a key of `apiKeyGuard()`. */
  readonly issuer: string
  /** The user or program, unique for its issuer. */
  readonly subject: string
  /** The application that calls on behalf of the subject; empty for an API key. */
  readonly clientId: string
  /** What the caller was granted. */
  readonly scopes: ReadonlySet<string>
  /** The resources that the token is for. */
  readonly audience: readonly string[]
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  /** Everything else the token said, as verified. */
  readonly claims: { readonly [name: string]: unknown }
  /** The thumbprint of the key that the token is bound to; absent for a bearer token. */
  readonly confirmation?: { readonly jkt: string }
}

/**
 * What sessions, events, tasks and sealed state are bound to; empty for whoever has not been verified. The client is part
 * of it: what one program began for a user is nothing another of the same user's programs may go on with.
 */
export function principalOf(auth: AuthInfo | undefined): string {
  return auth === undefined ? '' : JSON.stringify([auth.issuer, auth.subject, auth.clientId])
}

/** What limits count by: nobody gets more room by registering more clients. */
export function accountOf(auth: AuthInfo | undefined): string {
  return auth === undefined ? '' : JSON.stringify([auth.issuer, auth.subject])
}
