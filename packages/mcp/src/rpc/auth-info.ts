/** The caller, as verified by a guard. It holds no raw token. */
export interface AuthInfo {
  /** The authority that vouches for the caller: the `iss` of a token, or `api-key` for a key of `apiKeyGuard()`. */
  readonly issuer: string
  /** The user or program, unique for its issuer. */
  readonly subject: string
  /** The application that calls on behalf of the subject; empty for an API key. */
  readonly clientId: string
  /** The scopes that the caller was granted. */
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

/** Returns the key that limits count by: registering more clients gives nobody more capacity. */
export function quotaKeyOf(auth: AuthInfo | undefined): string {
  return auth === undefined ? '' : JSON.stringify([auth.issuer, auth.subject])
}
