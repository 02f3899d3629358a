/** What the listener knows of a caller. */
export interface Caller {
  /** For limits and the audit log. */
  readonly address?: string | undefined
}
