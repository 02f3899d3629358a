/** A command line that cannot be: what was seen, and what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
