/** A JSON object of which no member has been checked. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** The strings of a list; other items are left out. */
export function stringsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}
