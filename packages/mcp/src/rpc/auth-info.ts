/** Who is calling, as verified by a guard. There is no raw token in it. */
export interface AuthInfo {
  readonly issuer: string
  readonly subject: string
  readonly clientId: string
  readonly scopes: ReadonlySet<string>
  readonly audience: readonly string[]
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly claims: { readonly [name: string]: unknown }
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
