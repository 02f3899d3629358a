/** A mistake in the configuration of a check. The reader of the file adds the position of `path`. */
export interface CheckProblem {
  /** Keys and indexes from the section that was given: `['policy', 2, 'when']`. */
  readonly path: readonly (string | number)[]
  /** What was seen, and what is wrong with it. */
  readonly message: string
  /** What to write instead. */
  readonly cure: string
}
