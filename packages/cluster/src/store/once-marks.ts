/** What may happen once: a redemption, a proof, a number that is used. */
export interface OnceMarks {
  /** True the first time; false for as long as the mark is kept. */
  add(key: string, keepMs: number): Promise<boolean>
}
