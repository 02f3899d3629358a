/** The listener's data about a caller. */
export interface SignInCaller {
  /** For limits and the audit log. */
  readonly address?: string | undefined
}
