/** The action that a caller must take before a server can be used as them. */
export interface SignInWanted {
  /** The scopes to consent to, if known. */
  readonly scopes: readonly string[]
  /** They have signed in before, and this needs more. */
  readonly isMore: boolean
}

/** A server did not take the caller, or the caller is nobody it could be asked for. The server itself is well. */
export class IdentityRejection extends Error {
  override readonly name = 'IdentityRefusal'
  readonly upstream: string
  /** Signing in would help. */
  readonly signIn: SignInWanted | undefined

  constructor(upstream: string, message: string, signIn?: SignInWanted) {
    super(message)
    this.upstream = upstream
    this.signIn = signIn
  }
}
