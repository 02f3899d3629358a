/** Amounts that all processes together may use up, handed out in portions so that a use costs no command. */
export interface Budgets {
  /**
   * Takes up to `wanted` from a budget that holds `capacity` at most and is filled evenly within `windowMs`. Returns what
   * was granted: a whole number, possibly 0. What is not used may be given back as a negative amount.
   */
  take(key: string, wanted: number, capacity: number, windowMs: number): Promise<number>
}
