/** What was granted to whoever signed in to a server, and how to end that. */
export interface HostAccount {
  /** What is kept, never a token. Empty if nobody is signed in. */
  grants(): Promise<readonly AccountGrant[]>
  /** Forgets the tokens, and has their issuers revoke them. Resolves with what an issuer did not do, in words. */
  signOut(signal: AbortSignal): Promise<readonly string[]>
}

/** One thing that was granted. */
export interface AccountGrant {
  /** The authorization server. */
  readonly issuer: string
  /** What it allows. */
  readonly scopes: readonly string[]
  /** Until when, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined
  /** Whether it is renewed then without anybody being asked. */
  readonly canRefresh: boolean
}

/** What was granted for one server. */
export interface ServerAccount {
  /** The server, as the configuration names it. */
  readonly server: string
  /** What was granted; at least one. */
  readonly grants: readonly AccountGrant[]
}
