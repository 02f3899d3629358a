/** What this package has besides the official interface. */

export interface CompatOptions {
  /**
   * Answers requests of revision 2026-07-28 over Streamable HTTP.
   * @defaultValue true
   */
  readonly modern?: boolean
}

const chosen = { modern: true }

/** Sets options for the whole process. */
export function configure(options: CompatOptions): void {
  if (options.modern !== undefined) chosen.modern = options.modern
}

/** Says whether requests of the newest revision are answered. */
export function answersModern(): boolean {
  return chosen.modern
}
