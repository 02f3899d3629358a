/** What the listener knows of a caller. */
export interface SignInCaller {
  /** For limits and the audit log. */
  readonly address?: string | undefined
}
