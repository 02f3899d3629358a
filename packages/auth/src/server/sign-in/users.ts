/** Somebody who signed in. */
export interface UserAccount {
  /** Never given to somebody else, and not shown to people. */
  readonly subject: string
  /** Go into tokens: a name, groups. */
  readonly claims?: { readonly [name: string]: unknown } | undefined
  /** The time when earlier sign-ins ended: when their password changed, in milliseconds since 1970. @defaultValue never */
  readonly signedOutAt?: number | undefined
}

/** The people who may sign in. */
export interface UserDirectory {
  /** Undefined unless name and password are right. Should take equally long either way. */
  verify(name: string, password: string): Promise<UserAccount | undefined>
  /** Whether they still may; asked whenever a token is renewed. @defaultValue they may */
  find?(subject: string): Promise<UserAccount | undefined>
}
