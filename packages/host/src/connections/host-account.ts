/** The grants of the user who signed in to a server, and how to end them. */
export interface HostAccount {
  /** The stored grants, without tokens. Empty if no user is signed in. */
  grants(): Promise<readonly AccountGrant[]>
  /** Forgets the tokens, and has their issuers revoke them. Resolves with what an issuer did not do, in words. */
  signOut(signal: AbortSignal): Promise<readonly string[]>
}

/** One thing that was granted. */
export interface AccountGrant {
  /** The authorization server. */
  readonly issuer: string
  /** The scopes of the grant. */
  readonly scopes: readonly string[]
  /** Until when, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** Whether it is renewed without asking the user. */
  readonly canRefresh: boolean
}

/** The grants for one server. */
export interface ServerAccount {
  /** The server, as the configuration names it. */
  readonly server: string
  /** The grants, at least one. */
  readonly grants: readonly AccountGrant[]
}
