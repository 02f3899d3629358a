/** A command line that cannot be: what was seen, and what to write instead. */
export class UsageError extends Error {
  /** Always `UsageError`. */
  override readonly name = 'UsageError'
  /** The text to write instead; undefined if the message contains it. */
  readonly hint: string | undefined

  /** The hint is shown below the message. */
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
