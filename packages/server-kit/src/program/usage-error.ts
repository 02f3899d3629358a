/** The program was called in a way that cannot work; the message says what to change. It ends with status 1. */
export class UsageError extends Error {
  /** Always `UsageError`. */
  override readonly name = 'UsageError'
}
