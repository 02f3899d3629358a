/** Where a server stands. */
export type ServerState =
  /** Not needed yet. */
  | 'idle'
  | 'connecting'
  | 'ready'
  /** It could not be reached, or ended. It is tried again when it is needed next. */
  | 'failed'
  /** The user has to sign in first. */
  | 'sign-in'
  /** Switched off, or not approved. */
  | 'off'

/** Where a server stands, and why. */
export interface ServerStatus {
  /** Where it stands. */
  readonly state: ServerState
  /** Why it is not ready, in words. */
  readonly error?: string | undefined
}
